package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.layout.IptablesLayout;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.watch.Generations;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On a real kernel: iptables mode and IPVS mode share chains, and one transaction leads from the rules of one to those of the other. */
@Tag("kernel")
final class RulesBetweenModesTest {
    @ParameterizedTest
    @EnumSource
    void oneTransactionLeadsFromOneToTheOtherAndBack(IpFamily family) throws Exception {
        RandomServices random = new RandomServices(new Random(7), family);
        Map<ServiceKey, Optional<ServiceView>> services = new HashMap<>();
        for (int n = 0; n < 20; n++) {
            ServiceView service = random.service(n);
            services.put(service.key(), Optional.of(service));
        }
        NodeView node = Samples.node(family);
        try (NetNs ns = FreshNetNs.create()) {
            String iptables = rules(ns, family, IptablesLayout::new, node, services);
            String ipvs = rules(ns, family, IptablesLayout::aroundServers, node, services);
            assertThat(iptables).contains("KUBE-SVC-", "KUBE-EXTERNAL-SERVICES").doesNotContain("KUBE-IPVS");
            assertThat(ipvs)
                    .contains("-j KUBE-IPVS-IPS", "-A KUBE-LOOP-BACK", "-A INPUT")
                    .doesNotContain("KUBE-SVC-", "KUBE-SEP-", "KUBE-EXTERNAL-SERVICES", "KUBE-NODEPORTS");
            assertThat(rules(ns, family, IptablesLayout::new, node, services)).isEqualTo(iptables);
            assertThat(rules(ns, family, IptablesLayout::aroundServers, node, services))
                    .isEqualTo(ipvs);
        }
    }

    /** As kube-proxy leaves them in its IPVS mode; no jump asks for the state. */
    private static final String OF_KUBE_PROXY = """
            *filter
            :KUBE-FORWARD - [0:0]
            :KUBE-IPVS-FILTER - [0:0]
            :KUBE-IPVS-OUT-FILTER - [0:0]
            :KUBE-NODE-PORT - [0:0]
            :KUBE-PROXY-FIREWALL - [0:0]
            :KUBE-SOURCE-RANGES-FIREWALL - [0:0]
            -A INPUT -m comment --comment "kubernetes ipvs access filter" -j KUBE-IPVS-FILTER
            -A INPUT -m comment --comment "kube-proxy firewall rules" -j KUBE-PROXY-FIREWALL
            -A INPUT -m comment --comment "kubernetes health check rules" -j KUBE-NODE-PORT
            -A FORWARD -m comment --comment "kube-proxy firewall rules" -j KUBE-PROXY-FIREWALL
            -A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD
            -A OUTPUT -m comment --comment "kubernetes ipvs access filter" -j KUBE-IPVS-OUT-FILTER
            -A KUBE-SOURCE-RANGES-FIREWALL -j DROP
            COMMIT
            *nat
            :KUBE-LOAD-BALANCER - [0:0]
            :KUBE-MARK-MASQ - [0:0]
            :KUBE-NODE-PORT - [0:0]
            :KUBE-POSTROUTING - [0:0]
            :KUBE-SERVICES - [0:0]
            -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
            -A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
            -A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
            -A KUBE-LOAD-BALANCER -j KUBE-MARK-MASQ
            -A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000
            -A KUBE-SERVICES -m addrtype --dst-type LOCAL -j KUBE-NODE-PORT
            COMMIT
            """;

    @ParameterizedTest
    @EnumSource
    void oneTransactionLeadsFromTheIpvsModeOfKubeProxyToEach(IpFamily family) throws Exception {
        Map<ServiceKey, Optional<ServiceView>> services = Samples.services(family, 3);
        NodeView node = Samples.node(family);
        for (IptablesSyncer.LayoutOf layout :
                List.<IptablesSyncer.LayoutOf>of(IptablesLayout::new, IptablesLayout::aroundServers)) {
            try (NetNs ns = FreshNetNs.create();
                    NetNs other = FreshNetNs.create()) {
                new NetNsCommands(ns)
                        .feed(
                                OF_KUBE_PROXY,
                                family == IpFamily.IPV4 ? "iptables-restore" : "ip6tables-restore",
                                "--noflush");
                assertThat(rules(ns, family, layout, node, services))
                        .isEqualTo(rules(other, family, layout, node, services));
            }
        }
    }

    private static String rules(
            NetNs ns,
            IpFamily family,
            IptablesSyncer.LayoutOf layout,
            NodeView node,
            Map<ServiceKey, Optional<ServiceView>> services)
            throws Exception {
        NetlinkKernel.Open open = () -> NlSocket.open(NlProtocol.NETFILTER, ns);
        try (ViewSyncer syncer =
                new ViewSyncer(IptablesSyncer.of(family, open, new Generations(), new RuleSetGate(), layout))) {
            SyncResult report = syncer.run(node, services);
            assertThat(report.result()).isEqualTo(new Result.InForce());
            assertThat(report.leftOut()).isEmpty();
        }
        try (ViewSyncer again =
                new ViewSyncer(IptablesSyncer.of(family, open, new Generations(), new RuleSetGate(), layout))) {
            assertThat(again.run(node, services).ops()).isZero();
        }
        String saved = new NetNsCommands(ns).run(family == IpFamily.IPV4 ? "iptables-save" : "ip6tables-save");
        return String.join(
                "\n",
                saved.lines()
                        .filter(line -> !line.startsWith("#") && !line.startsWith(":PRE"))
                        .map(line -> line.replaceAll("\\[\\d+:\\d+]", ""))
                        .sorted()
                        .toList());
    }
}
