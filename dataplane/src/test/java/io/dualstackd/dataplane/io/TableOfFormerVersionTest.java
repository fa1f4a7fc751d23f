package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.Affinity;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.dataplane.model.ServicePortName;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.model.TrafficPolicy;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table that a version without the set {@code firewall-ips} left: one transaction adds the set, its elements and the rule that uses it. */
@Tag("kernel")
final class TableOfFormerVersionTest {
    private static final String SET = "firewall-ips";

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void isCompletedByOneTransaction(IpFamily family) throws Exception {
        NodeView node = Samples.node(family);
        try (NetNs now = FreshNetNs.create();
                NetNs former = FreshNetNs.create();
                ViewSyncer present = pass(family, now);
                ViewSyncer upgraded = pass(family, former)) {
            inForce(present.run(node, all(family)));
            NetNsCommands commands = new NetNsCommands(former);
            String wanted = new NetNsCommands(now).ruleset();
            assertThat(wanted).contains("@" + SET, "set " + SET);
            commands.feed(withoutSet(wanted), "nft", "-f", "-");
            assertThat(commands.ruleset()).doesNotContain(SET).contains("endpoints");

            SyncResult result = inForce(upgraded.run(node, all(family)));
            assertThat(result.work().transactions()).isEqualTo(1);
            assertThat(sorted(commands.ruleset())).isEqualTo(sorted(wanted));
        }
    }

    /** The rule without its last lookup, and no set: as it was. */
    private static String withoutSet(String ruleset) {
        return ruleset.replaceAll("(?s)\tset " + SET + " \\{.*?\n\t\\}\n", "")
                .replaceAll(" ip6? daddr \\. meta l4proto \\. th dport @" + SET + " drop", " drop");
    }

    private static List<String> sorted(String ruleset) {
        return ruleset.lines()
                .flatMap(line -> List.of(line.split(",")).stream())
                .map(line -> line.replace("elements = {", "").replace("}", "").strip())
                .filter(line -> !line.isEmpty())
                .sorted()
                .toList();
    }

    private static ViewSyncer pass(IpFamily family, NetNs ns) {
        return new ViewSyncer(NftablesSyncer.of(family, () -> NlSocket.open(NlProtocol.NETFILTER, ns)));
    }

    private static Map<ServiceKey, Optional<ServiceView>> all(IpFamily family) {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (ServiceView view : List.of(Samples.service(family, 1, 3), restricted(family))) {
            all.put(view.key(), Optional.of(view));
        }
        return all;
    }

    private static ServiceView restricted(IpFamily family) {
        boolean v4 = family == IpFamily.IPV4;
        ServiceKey key = new ServiceKey("default", "restricted");
        ServicePort port = new ServicePort(
                new ServicePortName(key, "http", Proto.TCP),
                Samples.clusterIp(family, 7),
                80,
                30_900,
                List.of(),
                List.of(Ip.parse(v4 ? "203.0.113.7" : "2001:db8:71::7")),
                List.of(IpPrefix.parse(v4 ? "198.51.100.0/24" : "2001:db8:1::/64")),
                Affinity.NONE,
                TrafficPolicy.CLUSTER,
                TrafficPolicy.CLUSTER,
                0);
        return new ServiceView(
                key, family, List.of(new PortView(port, List.of(Samples.endpoint(Samples.podIp(family, 7, 1), 8080)))));
    }

    private static SyncResult inForce(SyncResult result) {
        assertThat(result.result()).isEqualTo(new Result.InForce());
        return result;
    }
}
