package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.rules.iptables.FrameCompiler;
import io.dualstackd.dataplane.rules.iptables.IptablesText;
import io.dualstackd.dataplane.rules.iptables.Ruleset;
import io.dualstackd.dataplane.rules.iptables.ServiceCompiler;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The iptables rules alone: loaded by {@code iptables-restore}, so that a fault here is one of the rules, not of their encoding.
 */
record RestoredIptables(NetNs node) implements DataplaneUnderTest {
    @Override
    public ProxyMode mode() {
        return ProxyMode.IPTABLES;
    }

    @Override
    public void program(NodeView view, List<ServiceView> services) throws Exception {
        NodePlan plan = NodePlanner.plan(view);
        ServicePlanner planner = new ServicePlanner(view);
        Ruleset rules = Ruleset.of(
                view.family(),
                FrameCompiler.compile(plan),
                services.stream()
                        .map(service -> ServiceCompiler.compile(planner.plan(service), plan))
                        .toList());
        restore(
                view.family() == IpFamily.IPV4 ? "iptables-nft-restore" : "ip6tables-nft-restore",
                // Without the mask, as kube-proxy has it: spelled out, iptables would set fewer of its bits.
                IptablesText.print(rules).replaceAll(" --mask \\S+", ""));
    }

    private void restore(String tool, String text) throws Exception {
        node.call(() -> {
            Process process = new ProcessBuilder(tool).redirectErrorStream(true).start();
            try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
                in.write(text);
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output + text).isZero();
            return output;
        });
    }

    @Override
    public void close() {}
}
