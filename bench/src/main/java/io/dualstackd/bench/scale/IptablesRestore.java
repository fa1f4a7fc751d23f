package io.dualstackd.bench.scale;

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
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** {@code iptables-restore --noflush}, and the same program for IPv6. */
final class IptablesRestore implements Rival {
    private static final Fragment NOTHING = new Fragment(new TreeMap<>(), new TreeMap<>());

    private final Cluster cluster;
    private final NetNs ns;
    private final Program program;
    private final NodePlan node;
    private final ServicePlanner planner;

    private IptablesRestore(Cluster cluster, NetNs ns, Program program) {
        this.cluster = cluster;
        this.ns = ns;
        this.program = program;
        node = NodePlanner.plan(cluster.node());
        planner = new ServicePlanner(cluster.node());
    }

    /** Empty when the program is not installed. */
    static Optional<Rival> of(Cluster cluster, NetNs ns) {
        String name = cluster.family() == IpFamily.IPV4 ? "iptables-nft-restore" : "ip6tables-nft-restore";
        return Program.find(name, "--noflush").map(program -> new IptablesRestore(cluster, ns, program));
    }

    @Override
    public Span load() throws Exception {
        List<Fragment> fragments = new ArrayList<>();
        for (int n = 0; n < cluster.services(); n++) {
            fragments.add(fragment(cluster.view(n, cluster.usual(n))));
        }
        Ruleset all = Ruleset.of(cluster.family(), FrameCompiler.compile(node), fragments);
        return program.run(ns, IptablesText.print(all));
    }

    @Override
    public Span change(List<ServiceTransition> transitions) throws Exception {
        StringBuilder text = new StringBuilder();
        List<Fragment> before = new ArrayList<>();
        List<Fragment> after = new ArrayList<>();
        for (ServiceTransition serviceTransition : transitions) {
            before.add(fragment(serviceTransition.before()));
            after.add(fragment(serviceTransition.after()));
        }
        for (Table table : List.of(Table.FILTER, Table.NAT)) {
            text.append(new TableEdit(table).text(before, after));
        }
        return program.run(ns, text.toString());
    }

    private Fragment fragment(Optional<ServiceView> view) {
        return view.map(it -> ServiceCompiler.compile(planner.plan(it), node)).orElse(NOTHING);
    }

    /** The input that changes one table: chains that differ, as a whole; rules in shared chains, one by one. */
    private final class TableEdit {
        private final Table table;
        private final StringBuilder chains = new StringBuilder();
        private final StringBuilder rules = new StringBuilder();
        private final StringBuilder gone = new StringBuilder();

        TableEdit(Table table) {
            this.table = table;
        }

        String text(List<Fragment> before, List<Fragment> after) {
            for (int i = 0; i < before.size(); i++) {
                chains(before.get(i).chains(), after.get(i).chains());
                dispatch(before.get(i).dispatch(), after.get(i).dispatch(), "-D");
                dispatch(after.get(i).dispatch(), before.get(i).dispatch(), "-A");
            }
            if (chains.length() + rules.length() + gone.length() == 0) {
                return "";
            }
            return "*" + table + "\n" + chains + rules + gone + "COMMIT\n";
        }

        private void chains(SortedMap<ChainId, List<Rule>> has, SortedMap<ChainId, List<Rule>> wants) {
            wants.forEach((chain, content) -> {
                if (chain.table() == table && !content.equals(has.get(chain))) {
                    declare(chain);
                    content.forEach(rule -> rule("-A", chain, rule));
                }
            });
            has.keySet().forEach(chain -> {
                if (chain.table() == table && !wants.containsKey(chain)) {
                    declare(chain);
                    gone.append("-X ").append(chain.name()).append('\n');
                }
            });
        }

        /** Adds the rules that {@code these} have and {@code others} have not. */
        private void dispatch(
                SortedMap<ChainId, List<Rule>> these, SortedMap<ChainId, List<Rule>> others, String verb) {
            these.forEach((chain, content) -> {
                if (chain.table() == table) {
                    List<Rule> kept = others.getOrDefault(chain, List.of());
                    content.stream().filter(rule -> !kept.contains(rule)).forEach(rule -> rule(verb, chain, rule));
                }
            });
        }

        /** With {@code --noflush} this creates the chain if it does not exist, and empties it if it does. */
        private void declare(ChainId chain) {
            chains.append(':').append(chain.name()).append(" - [0:0]\n");
        }

        private void rule(String verb, ChainId chain, Rule rule) {
            String line = IptablesText.line(cluster.family(), chain.name(), rule);
            rules.append(verb).append(line.substring("-A".length())).append('\n');
        }
    }
}
