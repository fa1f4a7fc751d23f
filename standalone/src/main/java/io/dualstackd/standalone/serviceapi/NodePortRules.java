package io.dualstackd.standalone.serviceapi;

import io.dualstackd.standalone.allocation.PortPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Allocates the node ports of a Service, all or none: after a refusal the pool is unchanged. Ports that a Service no longer uses stay
 * allocated until the change is stored; then the caller releases them.
 */
public final class NodePortRules {
    /** The rule that a port in use breaks. */
    public static final String ALLOCATED = "is already allocated";

    private final PortPool pool;
    private final RandomGenerator random;

    public NodePortRules(PortPool pool, RandomGenerator random) {
        this.pool = pool;
        this.random = random;
    }

    /** The result of an allocation. */
    public sealed interface Answer {
        /**
         * @param ports as they are to be stored
         * @param taken numbers that were free before
         * @param unused numbers the Service had and no longer has
         */
        record Given(List<PortFields> ports, Set<Integer> taken, Set<Integer> unused) implements Answer {
            public Given {
                ports = List.copyOf(ports);
                taken = Set.copyOf(taken);
                unused = Set.copyOf(unused);
            }
        }

        record Denied(Rejection rejection) implements Answer {}
    }

    /** The change of one Service. */
    private final class Change {
        private final Set<Integer> held;
        private final Set<Integer> taken = new HashSet<>();
        private final List<PortFields> ports;

        Change(Set<Integer> held, List<PortFields> wantedPorts) {
            this.held = held;
            this.ports = new ArrayList<>(wantedPorts);
        }

        /** Takes the number; returns empty when the Service may have it, otherwise the rule it breaks. */
        String take(int number) {
            if (held.contains(number) || taken.contains(number)) {
                return "";
            }
            if (!pool.contains(number)) {
                return "the valid range of node ports is " + pool;
            }
            if (!pool.take(number)) {
                return ALLOCATED;
            }
            taken.add(number);
            return "";
        }

        Answer denied(int index, int number, String rule) {
            taken.forEach(pool::giveBack);
            String value = number == 0 ? "" : Integer.toString(number);
            return new Answer.Denied(new Rejection("spec.ports[" + index + "].nodePort", value, rule));
        }

        Answer given() {
            Set<Integer> unused = new HashSet<>(held);
            ports.forEach(port -> unused.remove(port.nodePort()));
            return new Answer.Given(ports, taken, unused);
        }
    }

    /**
     * Allocates for a new Service.
     *
     * @param needed whether entries that name no number get one
     */
    public Answer create(List<PortFields> wantedPorts, boolean needed) {
        return settle(wantedPorts, Set.of(), new Manner(true, needed));
    }

    /** As {@link #create(List, boolean)}, for a Service that is written again. */
    public Answer update(List<PortFields> wantedPorts, Set<Integer> held, boolean needed) {
        return settle(wantedPorts, held, new Manner(false, needed));
    }

    /**
     * How requests are handled.
     *
     * @param share entries of one port share a number, and only they may
     * @param fill whether entries that name no number get one
     */
    private record Manner(boolean share, boolean fill) {}

    private Answer settle(List<PortFields> wantedPorts, Set<Integer> held, Manner manner) {
        Change change = new Change(held, wantedPorts);
        Map<Integer, Integer> ofPort = new HashMap<>();
        // Entries that name a number come first, as otherwise the random choice might take it.
        for (int i = 0; i < wantedPorts.size(); i++) {
            int number = wantedPorts.get(i).nodePort();
            if (number != 0) {
                String rule = conflict(i, wantedPorts, manner.share());
                rule = rule.isEmpty() ? change.take(number) : rule;
                if (!rule.isEmpty()) {
                    return change.denied(i, number, rule);
                }
                ofPort.putIfAbsent(wantedPorts.get(i).port(), number);
            }
        }
        for (int i = 0; i < wantedPorts.size(); i++) {
            PortFields requested = change.ports.get(i);
            int number = requested.nodePort();
            if (number == 0 && !manner.fill()) {
                continue;
            }
            if (number == 0 && manner.share()) {
                number = ofPort.getOrDefault(requested.port(), 0);
            }
            if (number == 0) {
                OptionalInt free = pool.take(random);
                if (free.isEmpty()) {
                    return change.denied(i, 0, "no node port is free: all of " + pool + " are allocated");
                }
                number = free.getAsInt();
                change.taken.add(number);
            }
            ofPort.putIfAbsent(requested.port(), number);
            change.ports.set(i, requested.withNodePort(number));
        }
        return change.given();
    }

    /** A number may be shared by the protocols of one port only; a Service that is written again may also share it between different ports. */
    private static String conflict(int index, List<PortFields> wantedPorts, boolean samePort) {
        PortFields requested = wantedPorts.get(index);
        for (PortFields other : wantedPorts.subList(0, index)) {
            if (other.nodePort() == requested.nodePort()) {
                if (other.protocol().equals(requested.protocol())) {
                    return "is used twice for " + requested.protocol();
                }
                if (samePort && other.port() != requested.port()) {
                    return "is used for port " + other.port()
                            + ", too; only one port with several protocols may share it";
                }
            }
        }
        return "";
    }
}
