package io.dualstackd.dataplane.rules.iptables;

import io.dualstackd.dataplane.plan.NodePlan;
import io.dualstackd.dataplane.plan.PortPlan;
import io.dualstackd.dataplane.plan.ServicePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes the rules of one Service. A pure function of the plans of the Service and the node: no other Service is read, so the cost of a
 * change depends on that Service alone.
 */
public final class ServiceCompiler {
    private ServiceCompiler() {}

    /** The rules of {@code plan} on the node of {@code node}; both of one family. */
    public static Fragment compile(ServicePlan plan, NodePlan node) {
        Draft draft = new Draft();
        for (PortPlan port : plan.ports()) {
            PortChains.write(port, node, draft);
            PortDispatch.write(port, node, draft);
        }
        return draft.finish();
    }

    /** A fragment while its ports are being written. */
    static final class Draft {
        private final SortedMap<ChainId, List<Rule>> chains = new TreeMap<>();
        private final SortedMap<ChainId, List<Rule>> dispatch = new TreeMap<>();

        /** Starts a chain of the nat table; rules follow. */
        List<Rule> chain(String name) {
            return chain(new ChainId(Table.NAT, name));
        }

        /** Starts a chain; rules follow. */
        List<Rule> chain(ChainId chain) {
            List<Rule> rules = new ArrayList<>();
            chains.put(chain, rules);
            return rules;
        }

        /** Adds a rule once: an address listed twice by a Service must not make two equal rules, which could not be distinguished later. */
        void dispatch(ChainId shared, Rule rule) {
            List<Rule> rules = dispatch.computeIfAbsent(shared, ignored -> new ArrayList<>());
            if (!rules.contains(rule)) {
                rules.add(rule);
            }
        }

        Fragment finish() {
            chains.replaceAll((ignored, rules) -> List.copyOf(rules));
            dispatch.replaceAll((ignored, rules) -> List.copyOf(rules));
            return new Fragment(chains, dispatch);
        }
    }
}
