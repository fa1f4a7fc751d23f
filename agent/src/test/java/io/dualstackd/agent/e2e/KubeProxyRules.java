package io.dualstackd.agent.e2e;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.NetNsCommands;

/** What a kube-proxy has in the kernel for the Service {@code e2e/web} of {@link ServedHost}, written with the tools that it uses. */
final class KubeProxyRules {
    private KubeProxyRules() {}

    /** Mode iptables: all its chains in one step for each family; rules of other chains stay. */
    static void iptables(NetNsCommands host) throws Exception {
        for (IpFamily family : IpFamily.values()) {
            boolean four = family == IpFamily.IPV4;
            host.feed(iptables(family), four ? "iptables-restore" : "ip6tables-restore", "--noflush", "--wait");
        }
    }

    /** Mode nftables: its tables, anew. */
    static void nftables(NetNsCommands host) throws Exception {
        for (IpFamily family : IpFamily.values()) {
            host.feed(nftables(family), "nft", "-f", "-");
        }
    }

    private static String service(IpFamily family) {
        return family == IpFamily.IPV4 ? Manifests.ip4(1) : Manifests.ip6(1);
    }

    private static String endpoint(IpFamily family, int number) {
        return family == IpFamily.IPV4 ? "10.244.0." + number : "fd00:10:244::" + number;
    }

    private static String at(IpFamily family, int number) {
        String ip = endpoint(family, number);
        return (family == IpFamily.IPV4 ? ip : "[" + ip + "]") + ":8080";
    }

    private static String iptables(IpFamily family) {
        return """
                *filter
                :KUBE-EXTERNAL-SERVICES - [0:0]
                :KUBE-FIREWALL - [0:0]
                :KUBE-FORWARD - [0:0]
                :KUBE-NODEPORTS - [0:0]
                :KUBE-PROXY-CANARY - [0:0]
                :KUBE-PROXY-FIREWALL - [0:0]
                :KUBE-SERVICES - [0:0]
                -A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL
                -A INPUT -m comment --comment "kubernetes health check service ports" -j KUBE-NODEPORTS
                -A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes externally-visible service portals" -j KUBE-EXTERNAL-SERVICES
                -A INPUT -j KUBE-FIREWALL
                -A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD
                -A OUTPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
                -A OUTPUT -j KUBE-FIREWALL
                -A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP
                COMMIT
                *nat
                :KUBE-MARK-MASQ - [0:0]
                :KUBE-NODEPORTS - [0:0]
                :KUBE-POSTROUTING - [0:0]
                :KUBE-PROXY-CANARY - [0:0]
                :KUBE-SEP-FIRSTENDPOINTAAA - [0:0]
                :KUBE-SEP-OTHERENDPOINTAAA - [0:0]
                :KUBE-SERVICES - [0:0]
                :KUBE-SVC-WEBWEBWEBWEBWEBW - [0:0]
                -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
                -A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
                -A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
                -A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000
                -A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
                -A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0
                -A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE --random-fully
                -A KUBE-SEP-FIRSTENDPOINTAAA -s <first> -m comment --comment "e2e/web:http" -j KUBE-MARK-MASQ
                -A KUBE-SEP-FIRSTENDPOINTAAA -p tcp -m comment --comment "e2e/web:http" -m tcp -j DNAT --to-destination <at first>
                -A KUBE-SEP-OTHERENDPOINTAAA -s <other> -m comment --comment "e2e/web:http" -j KUBE-MARK-MASQ
                -A KUBE-SEP-OTHERENDPOINTAAA -p tcp -m comment --comment "e2e/web:http" -m tcp -j DNAT --to-destination <at other>
                -A KUBE-SERVICES -d <service> -p tcp -m comment --comment "e2e/web:http cluster IP" -m tcp --dport 80 -j KUBE-SVC-WEBWEBWEBWEBWEBW
                -A KUBE-SERVICES -m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain" -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS
                -A KUBE-SVC-WEBWEBWEBWEBWEBW -m comment --comment "e2e/web:http" -m statistic --mode random --probability 0.5 -j KUBE-SEP-FIRSTENDPOINTAAA
                -A KUBE-SVC-WEBWEBWEBWEBWEBW -m comment --comment "e2e/web:http" -j KUBE-SEP-OTHERENDPOINTAAA
                COMMIT
                *mangle
                :KUBE-PROXY-CANARY - [0:0]
                COMMIT
                """.replace("<service>", service(family))
                .replace("<first>", endpoint(family, 1))
                .replace("<other>", endpoint(family, 2))
                .replace("<at first>", at(family, 1))
                .replace("<at other>", at(family, 2));
    }

    private static String nftables(IpFamily family) {
        boolean four = family == IpFamily.IPV4;
        String header = four ? "ip" : "ip6";
        return """
                table <header> kube-proxy
                delete table <header> kube-proxy
                table <header> kube-proxy {
                    map service-ips {
                        type <type> . inet_proto . inet_service : verdict
                        elements = { <service> . tcp . 80 : goto service-WEB-e2e/web/tcp/http }
                    }
                    chain services {
                        <header> daddr . meta l4proto . th dport vmap @service-ips
                    }
                    chain nat-prerouting {
                        type nat hook prerouting priority dstnat; policy accept;
                        jump services
                    }
                    chain nat-output {
                        type nat hook output priority -100; policy accept;
                        jump services
                    }
                    chain service-WEB-e2e/web/tcp/http {
                        numgen random mod 2 vmap { 0 : goto endpoint-FIRST, 1 : goto endpoint-OTHER }
                    }
                    chain endpoint-FIRST {
                        meta l4proto tcp dnat to <at first>
                    }
                    chain endpoint-OTHER {
                        meta l4proto tcp dnat to <at other>
                    }
                }
                """.replace("<header>", header)
                .replace("<type>", four ? "ipv4_addr" : "ipv6_addr")
                .replace("<service>", service(family))
                .replace("<at first>", at(family, 1))
                .replace("<at other>", at(family, 2));
    }
}
