package io.dualstackd.agent.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.explain.ExplainRequest;
import io.dualstackd.admin.explain.ExplanationJson;
import io.dualstackd.admin.explain.ExplanationText;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.sys.Sysctl;
import io.dualstackd.nodeaddr.NodeIps;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Explanations of foreign rules and of notes beside the fate of a packet, with a real kernel. */
@Tag("kernel")
final class ExplainHostTest {
    @TempDir
    private Path folder;

    private RenumberedNode node(ProxyMode mode) throws Exception {
        RenumberedNode node = new RenumberedNode(folder, mode);
        for (String key : List.of(
                "net/ipv4/ip_forward",
                "net/ipv6/conf/all/forwarding",
                "net/ipv4/conf/all/rp_filter",
                "net/ipv4/conf/default/rp_filter")) {
            Sysctl.write(node.ns, key, key.endsWith("rp_filter") ? "0" : "1");
        }
        int eth0 = node.cable("eth0");
        Sysctl.write(node.ns, "net/ipv4/conf/eth0/rp_filter", "0");
        Sysctl.write(node.ns, "net/ipv4/conf/eth0/forwarding", "1");
        node.add(eth0, "192.0.2.7/24");
        node.add(eth0, "2001:db8::7/64");
        int eth1 = node.cable("eth1");
        node.add(eth1, "10.0.0.1/24");
        node.add(eth1, "fd00::1/64");
        node.node.add(Route.via(IpPrefix.parse("10.244.0.0/16"), Ip.parse("10.0.0.254")));
        node.node.add(Route.via(IpPrefix.parse("fd00:244::/32"), Ip.parse("fd00::fe")));
        return node;
    }

    private static void shop(RenumberedNode node, String more) throws Exception {
        node.put("web.yaml", """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: shop}
                spec:
                  type: NodePort
                  ipFamilyPolicy: RequireDualStack
                  clusterIP: 10.96.0.10
                  clusterIPs: [10.96.0.10, "fd00:10:96::10"]
                  ipFamilies: [IPv4, IPv6]
                  ports: [{name: http, port: 80, nodePort: 30080}]
                """ + more);
        node.put("slices.yaml", """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: web-4, namespace: shop, labels: {kubernetes.io/service-name: web}}
                addressType: IPv4
                ports: [{name: http, port: 8080}]
                endpoints:
                - {addresses: [10.244.0.5], hints: {forZones: [{name: a}]}}
                - {addresses: [10.244.1.6], hints: {forZones: [{name: b}]}}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: web-6, namespace: shop, labels: {kubernetes.io/service-name: web}}
                addressType: IPv6
                ports: [{name: http, port: 8080}]
                endpoints: [{addresses: ["fd00:244::5"]}, {addresses: ["fd00:244::6"]}]
                """);
    }

    /** Packets that are to be masqueraded have a mark when the kernel routes them. */
    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void theMarkOfTheMasqueradeDecidesOnTheRoute(ProxyMode mode) throws Exception {
        try (RenumberedNode node = node(mode)) {
            shop(node, "");
            node.start("ipv4,ipv6");
            for (String[] family : List.of(
                    new String[] {"-4", "10.244.0.5", "192.0.2.254", "192.0.2.1", "192.0.2.7:30080", "10.96.0.10:80"},
                    new String[] {
                        "-6", "fd00:244::5", "2001:db8::fe", "2001:db8::1", "[2001:db8::7]:30080", "[fd00:10:96::10]:80"
                    })) {
                node.commands.run("ip", family[0], "rule", "add", "fwmark", "0x4000/0x4000", "lookup", "100");
                node.commands.run(
                        "ip", family[0], "route", "add", "default", "via", family[2], "dev", "eth0", "table", "100");
                assertThat(explain(node, family[3], family[4], "eth0"))
                        .contains("  route to " + family[1] + ": through eth0 via " + family[2] + "\n")
                        .doesNotContain("through eth1");
                assertThat(explain(node, family[3], family[5], "eth0"))
                        .contains("  route to " + family[1] + ": through eth1 via ")
                        .doesNotContain("via " + family[2]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void mentionsDroppingPolicyOfAForeignChain(ProxyMode mode) throws Exception {
        try (RenumberedNode node = node(mode)) {
            shop(node, "");
            node.start("ipv4,ipv6");
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80", "eth0"))
                    .contains("kernel      " + mode + ", does the same, by\n")
                    .contains("host        lets it pass, as far as was checked\n")
                    .contains("  route to 10.244.0.5: through eth1 via 10.0.0.254\n")
                    .contains("  rp_filter of eth0: off\n")
                    .contains("not seen    ");
            assertThat(explain(node, "2001:db8::1", "[fd00:10:96::10]:80", "eth0"))
                    .contains("host        lets it pass, as far as was checked\n")
                    .contains("  route to fd00:244::5: through eth1 via fd00::fe\n");

            // As Docker does it, with rules that let its own containers through.
            for (String tool : List.of("iptables", "ip6tables")) {
                node.commands.run(tool, "-P", "FORWARD", "DROP");
                node.commands.run(tool, "-A", "FORWARD", "-o", "docker0", "-j", "ACCEPT");
                node.commands.run(
                        tool, "-A", "FORWARD", "-m", "conntrack", "--ctstate", "RELATED,ESTABLISHED", "-j", "ACCEPT");
            }
            for (String[] packet : List.of(
                    new String[] {"192.0.2.1", "10.96.0.10:80", "ip"},
                    new String[] {"2001:db8::1", "[fd00:10:96::10]:80", "ip6"})) {
                assertThat(explain(node, packet[0], packet[1], "eth0"))
                        .contains("            but this host DROPS it on its way, see host below\n")
                        .contains("host        DROPS it\n")
                        .contains("  " + packet[2]
                                + " filter FORWARD (hook forward, priority 0, policy drop): DROPS it, by its policy\n");
            }
            assertThat(JsonPrint.indented(ExplanationJson.of(node.daemon()
                            .explainer()
                            .explain(ExplainRequest.parse("192.0.2.1", "10.96.0.10:80", "eth0")))))
                    .contains("\"verdict\" : \"drops\"");
            // What the rules see is not known, so it is not claimed.
            node.commands.run("iptables", "-A", "FORWARD", "-m", "limit", "--limit", "5/second", "-j", "ACCEPT");
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80", "eth0"))
                    .contains("host        may drop it: rules of other programs were not evaluated\n")
                    .contains("MAY DROP it, by its policy; 1 rule was not evaluated\n")
                    .doesNotContain("DROPS it");
            node.commands.run("iptables", "-I", "FORWARD", "-d", "10.244.0.0/16", "-j", "REJECT");
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80", "eth0"))
                    .contains(
                            "DROPS it, by rule 1 of chain FORWARD, which rejects it: the client gets an error at once\n");
        }
    }

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void rulesOfAnotherTableAreFollowedIntoTheirChainsAndSets(ProxyMode mode) throws Exception {
        try (RenumberedNode node = node(mode)) {
            shop(node, "");
            node.start("ipv4,ipv6");
            node.commands.feed("""
                    table inet wall {
                      chain known { ip daddr 10.244.1.0/24 meta l4proto tcp tcp dport { 22, 8080 } drop; }
                      chain forward {
                        type filter hook forward priority filter + 10; policy accept;
                        ct state vmap { established : accept, related : accept, invalid : drop }
                        iifname "eth0" oifname "eth1" jump known
                      }
                    }
                    """, "nft", "-f", "-");
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80", "eth0"))
                    .contains("host        DROPS it\n")
                    .contains("  to 10.244.0.5:8080\n")
                    .contains("  inet wall forward (hook forward, priority 10, policy accept)\n")
                    .contains("  to 10.244.1.6:8080\n")
                    .contains(
                            "  inet wall forward (hook forward, priority 10, policy accept): DROPS it, by rule 1 of chain"
                                    + " known\n");
            // Nothing in it concerns the other family, and nothing that comes in elsewhere.
            assertThat(explain(node, "2001:db8::1", "[fd00:10:96::10]:80", "eth0"))
                    .contains("host        lets it pass, as far as was checked\n");
            assertThat(explain(node, "10.0.0.9", "10.96.0.10:80", "eth1"))
                    .contains("host        lets it pass, as far as was checked\n");
        }
    }

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void mentionsSettingsAndRoutesThatStopAPacket(ProxyMode mode) throws Exception {
        try (RenumberedNode node = node(mode)) {
            shop(node, "");
            node.start("ipv4,ipv6");
            Sysctl.write(node.ns, "net/ipv4/conf/eth1/rp_filter", "1");
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80", "eth1"))
                    .contains("host        DROPS it\n")
                    .contains("DROPS it, rp_filter of eth1 is 1, and the way back to 192.0.2.1 leads through eth0\n");
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80", ""))
                    .contains("not seen    ")
                    .contains("rp_filter, which depends on the interface it comes in through (--in NAME)")
                    .doesNotContain("policy routing rules");
            node.commands.run("ip", "rule", "add", "from", "192.0.2.1", "prohibit");
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80", ""))
                    .contains("policy routing rules that ask for the source, or for that interface");
            node.commands.run("ip", "rule", "del", "from", "192.0.2.1", "prohibit");
            node.node.delete(Route.via(IpPrefix.parse("10.244.0.0/16"), Ip.parse("10.0.0.254")));
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80", "eth0"))
                    .contains("route to 10.244.0.5: DROPS it, the kernel says ");
            Sysctl.write(node.ns, "net/ipv4/ip_forward", "0");
            Sysctl.write(node.ns, "net/ipv6/conf/all/forwarding", "0");
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80", "eth0"))
                    .contains("net.ipv4.conf.eth0.forwarding: DROPS it, it is 0\n");
            assertThat(explain(node, "2001:db8::1", "[fd00:10:96::10]:80", "eth0"))
                    .contains("net.ipv6.conf.all.forwarding: DROPS it, it is 0\n");
        }
    }

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void explainsAffinityAndTheEndpointOfAClient(ProxyMode mode) throws Exception {
        try (RenumberedNode node = node(mode)) {
            shop(node, """
                      sessionAffinity: ClientIP
                      sessionAffinityConfig: {clientIP: {timeoutSeconds: 900}}
                    """.indent(-2).indent(2));
            node.start("ipv4,ipv6");
            for (String[] packet : List.of(
                    new String[] {"192.0.2.1", "10.96.0.10:80", "10.244.1.6:8080", "10.244.1.6"},
                    new String[] {"2001:db8::1", "[fd00:10:96::10]:80", "[fd00:244::6]:8080", "fd00:244::6"})) {
                assertThat(explain(node, packet[0], packet[1], ""))
                        .contains("result      forwarded to one of 2, each as likely as the others\n")
                        .contains("affinity    ClientIP: a client stays with its endpoint for 900 s; " + packet[0]
                                + " is bound to none yet\n");
                bind(node, mode, packet[0], packet[3]);
                assertThat(explain(node, packet[0], packet[1], ""))
                        .contains("result      forwarded to " + packet[2] + " by affinity, though one of 2\n")
                        .contains("; " + packet[0] + " is bound to " + packet[2] + "\n")
                        .contains(", does the same, by\n");
            }
        }
    }

    private static void bind(RenumberedNode node, ProxyMode mode, String client, String endpoint) throws Exception {
        String table = client.contains(":") ? "ip6" : "ip";
        if (mode == ProxyMode.NFTABLES) {
            List<String> sets = node.commands
                    .run("nft", "list", "table", table, "dualstackd")
                    .lines()
                    .filter(line -> line.contains("affinity-"))
                    .toList();
            assertThat(sets)
                    .as("affinity sets")
                    .anyMatch(line -> line.contains("__" + endpoint.replace(':', '.') + "/"));
            String set = sets.stream()
                    .map(String::strip)
                    .filter(line -> line.startsWith("set ") && line.contains("__" + endpoint.replace(':', '.') + "/"))
                    .findFirst()
                    .orElseThrow()
                    .split(" ", -1)[1];
            node.commands.run("nft", "add", "element", table, "dualstackd", set, "{ " + client + " }");
        } else {
            String chain = node.commands
                    .saved(table.equals("ip") ? "iptables-save" : "ip6tables-save")
                    .lines()
                    .filter(line -> line.startsWith("-A KUBE-SEP-"))
                    .filter(line -> line.contains("[" + endpoint + "]:8080") || line.contains(endpoint + ":8080"))
                    .findFirst()
                    .orElseThrow()
                    .split(" ", -1)[1];
            node.commands.run("sh", "-c", "echo +" + client + " > /proc/net/xt_recent/" + chain);
        }
    }

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void explainsTopologyHints(ProxyMode mode) throws Exception {
        try (RenumberedNode node = node(mode)) {
            shop(node, "");
            node.put("node.yaml", """
                    apiVersion: v1
                    kind: Node
                    metadata: {name: n.invalid, labels: {topology.kubernetes.io/zone: b}}
                    """);
            node.start("ipv4,ipv6");
            assertThat(explain(node, "192.0.2.1", "10.96.0.10:80", ""))
                    .contains("topology    hints for zone b are obeyed: 1 of 2 ready endpoints\n")
                    .contains("  10.244.1.6:8080\n");
            node.put("node.yaml", """
                    apiVersion: v1
                    kind: Node
                    metadata: {name: n.invalid, labels: {topology.kubernetes.io/zone: c}}
                    """);
            RenumberedNode.eventually(() -> assertThat(explain(node, "192.0.2.1", "10.96.0.10:80", ""))
                    .contains("topology    hints are not obeyed: none is for zone c\n"));
            assertThat(explain(node, "2001:db8::1", "[fd00:10:96::10]:80", "")).doesNotContain("topology");
        }
    }

    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void mentionsServicesSimilarToUnmatchedPacket(ProxyMode mode) throws Exception {
        try (RenumberedNode node = node(mode)) {
            shop(node, "");
            node.start(
                    NodeIps.DEFAULT,
                    new NodePortAddresses.Within(
                            List.of(IpPrefix.parse("192.0.2.0/24"), IpPrefix.parse("2001:db8::/64"))));
            assertThat(explain(node, "10.0.0.9", "10.0.0.1:30080", "eth1"))
                    .contains("service     none has this address and port\n")
                    .contains("note        port 30080 is shop/web:http's node port but answers on 192.0.2.7 only\n");
            assertThat(explain(node, "fd00::9", "[fd00::1]:30080", "eth1"))
                    .contains("note        port 30080 is shop/web:http's node port but answers on 2001:db8::7 only\n");
            for (String[] packet : List.of(
                    new String[] {"192.0.2.1", "10.96.0.10:81", "10.96.0.10"},
                    new String[] {"2001:db8::1", "[fd00:10:96::10]:81", "fd00:10:96::10"})) {
                assertThat(explain(node, packet[0], packet[1], ""))
                        .doesNotContain("web:http")
                        .contains("note        " + packet[2] + " is shop/web's, which has no port 81/tcp but 80/tcp\n");
            }
        }
    }

    private static String explain(RenumberedNode node, String from, String to, String in) {
        return ExplanationText.of(node.daemon().explainer().explain(ExplainRequest.parse(from, to, in)));
    }
}
