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
