package io.dualstackd.explain.trace;

import java.util.List;

/** The result of a trace. */
public sealed interface TraceResult {
    /** Nothing was traced. */
    record Refused(String why) implements TraceResult {}

    /**
     * What was seen.
     *
     * @param packets in the order in which they ended
     * @param lost whether the kernel dropped messages, since they came faster than they were read
     * @param notSeen what was not traced, each in a few words
     */
    record Traced(List<TracedPacket> packets, boolean lost, List<String> notSeen) implements TraceResult {
        public Traced {
            packets = List.copyOf(packets);
            notSeen = List.copyOf(notSeen);
        }
    }
}
