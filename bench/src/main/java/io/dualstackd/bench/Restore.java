package io.dualstackd.bench;

import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.NodePlanner;
import io.dualstackd.dataplane.plan.ServicePlanner;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.Fragment;
import io.dualstackd.dataplane.rules.iptables.FrameCompiler;
import io.dualstackd.dataplane.rules.iptables.IptablesText;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Ruleset;
import io.dualstackd.dataplane.rules.iptables.ServiceCompiler;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The same rules through the external program, in a namespace of their own, to compare with. Does nothing where there is none. */
final class Restore implements AutoCloseable {
    private final Cluster cluster;
    private final Optional<Path> program;
    private final NetNs ns;
    private final NodePlan node;
    private final ServicePlanner planner;

    private Restore(Cluster cluster, Optional<Path> program, NetNs ns) {
        this.cluster = cluster;
        this.program = program;
        this.ns = ns;
        NodeView view = cluster.node();
        node = NodePlanner.plan(view);
        planner = new ServicePlanner(view);
    }

    static Restore into(Cluster cluster) throws Exception {
        String name = cluster.family() == IpFamily.IPV4 ? "iptables-nft-restore" : "ip6tables-nft-restore";
        Optional<Path> program = List.of("/usr/sbin", "/sbin", "/usr/bin").stream()
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
        return new Restore(cluster, program, NetNs.create());
    }

    /** Nanoseconds for the first load; nothing when the program is not there. */
    List<Long> load() throws Exception {
        if (program.isEmpty()) {
            return List.of();
        }
        List<Fragment> fragments = new ArrayList<>();
        for (int n = 0; n < cluster.services(); n++) {
            fragments.add(fragment(cluster.service(n, List.of())));
        }
        Ruleset all = Ruleset.of(cluster.family(), FrameCompiler.compile(node), fragments);
        return List.of(restore(program.get(), IptablesText.print(all)));
    }

    /** Nanoseconds for the chains of one Service; nothing when the program is not there. */
    Optional<Long> replace(ServiceView before, ServiceView now) throws Exception {
        if (program.isEmpty()) {
            return Optional.empty();
        }
        Fragment has = fragment(before);
        Fragment want = fragment(now);
        StringBuilder text = new StringBuilder("*nat\n");
        StringBuilder rules = new StringBuilder();
        for (ChainId chain : want.chains().keySet()) {
            List<Rule> content = want.chains().getOrDefault(chain, List.of());
            if (!content.equals(has.chains().get(chain))) {
                text.append(':').append(chain.name()).append(" - [0:0]\n");
                content.forEach(rule -> rules.append(IptablesText.line(cluster.family(), chain.name(), rule))
                        .append('\n'));
            }
        }
        for (ChainId chain : has.chains().keySet()) {
            if (!want.chains().containsKey(chain)) {
                text.append(':').append(chain.name()).append(" - [0:0]\n");
                rules.append("-X ").append(chain.name()).append('\n');
            }
        }
        return Optional.of(
                restore(program.get(), text.append(rules).append("COMMIT\n").toString()));
    }

    private Fragment fragment(ServiceView view) {
        return ServiceCompiler.compile(planner.plan(view), node);
    }

    private long restore(Path which, String text) throws Exception {
        byte[] input = text.getBytes(StandardCharsets.UTF_8);
        return ns.call(() -> {
            long start = System.nanoTime();
            Process process = new ProcessBuilder(which.toString(), "--noflush")
                    .redirectErrorStream(true)
                    .start();
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input);
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException(which + ": " + said);
            }
            return System.nanoTime() - start;
        });
    }

    @Override
    public void close() {
        ns.close();
    }
}
