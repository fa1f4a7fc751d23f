package io.dualstackd.dataplane.packets;

import io.dualstackd.dataplane.packets.Probe.Answer;
import io.dualstackd.netlink.ip.IpPort;
import java.util.Set;
import java.util.TreeSet;

/** Sends as many connections as it takes to see everything a flow can come to. */
final class Observation {
    /** With three servers, one stays unseen this often with a chance of one in 10^17. */
    private static final int MOST_TRIES = 100;

    private static final int FEWEST_TRIES = 4;

    /** Milliseconds, where an answer is expected: long, so that a busy machine is not mistaken for a dropped packet. */
    private static final int LONG = 60_000;

    /** Milliseconds, where silence is expected. */
    private static final int SHORT = 300;

    private Observation() {}

    /** What was seen, in the words of {@link Expected#parse}. Stops at the first surprise. */
    static String of(Lab lab, LabMap map, Flow flow, Expected expected) throws Exception {
        Set<String> wanted = switch (expected) {
            case Expected.Answers(var servers) -> servers;
            case Expected.Refused ignored -> Set.of("refused");
            case Expected.Silence ignored -> Set.of("silence");
            case Expected.Host ignored -> Set.of("host");
            case Expected.Unserved ignored -> Set.of("silence", "refused");
        };
        boolean spreads = expected instanceof Expected.Answers;
        boolean silent = wanted.contains("silence");
        Set<String> seen = new TreeSet<>();
        for (int tried = 1; ; tried++) {
            Answer answer = Probe.send(
                    lab.hostOf(flow.from()).ns(),
                    flow.from().address(map),
                    new IpPort(flow.destination(), flow.port()),
                    flow.protocol(),
                    silent ? SHORT : LONG);
            String word = word(answer, flow.from(), map);
            seen.add(word);
            if (!wanted.contains(word)) {
                return String.join(" ", seen);
            }
            if (!spreads) {
                return expected.toString();
            }
            if (tried == MOST_TRIES || (tried >= FEWEST_TRIES && seen.equals(wanted))) {
                return String.join(" ", seen);
            }
        }
    }

    private static String word(Answer answer, Sender from, LabMap map) {
        return switch (answer) {
            case Answer.Refused() -> "refused";
            case Answer.Silence() -> "silence";
            case Answer.From(String server, var sawSource) -> {
                if (server.equals(Server.HOST) || sawSource.equals(from.address(map))) {
                    yield server;
                }
                // By the route to the pod, so that the kernel's choice of a source is not taken for masquerade.
                boolean byNode = sawSource.equals(server.startsWith("L") ? map.gateway() : map.nodeOnRack());
                yield byNode ? server + "*" : server + " as " + sawSource;
            }
        };
    }
}
