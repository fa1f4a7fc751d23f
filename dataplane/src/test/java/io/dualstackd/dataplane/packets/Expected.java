package io.dualstackd.dataplane.packets;

import java.util.Map;
import java.util.TreeMap;

/** What the specification says a client must see. */
public sealed interface Expected {
    /** Each of these answers some connection and nobody else answers any; the value says whether it sees a masqueraded source. */
    record Answers(Map<String, Boolean> masqueradedBy) implements Expected {
        public Answers {
            masqueradedBy = new TreeMap<>(masqueradedBy);
        }
    }

    /** Refused at once: reset or port unreachable. */
    record Refused() implements Expected {}

    /** Nothing comes back, because the data plane says so. */
    record Silence() implements Expected {}

    /** The data plane keeps out of it and a process of the node answers. */
    record Host() implements Expected {}

    /** The data plane keeps out of it and nobody serves there: silence, or the host refuses. */
    record Nobody() implements Expected {}

    /** {@code "L1* R1"}: answered by both, masqueraded where starred; or {@code refused}, {@code silence}, {@code host}, {@code nobody}. */
    static Expected parse(String text) {
        return switch (text.strip()) {
            case "refused" -> new Refused();
            case "silence" -> new Silence();
            case "host" -> new Host();
            case "nobody" -> new Nobody();
            default -> {
                Map<String, Boolean> servers = new TreeMap<>();
                for (String word : text.strip().split(" +", -1)) {
                    boolean starred = word.endsWith("*");
                    servers.put(starred ? word.substring(0, word.length() - 1) : word, starred);
                }
                yield new Answers(servers);
            }
        };
    }
}
