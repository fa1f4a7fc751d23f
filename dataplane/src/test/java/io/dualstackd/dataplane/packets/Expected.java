package io.dualstackd.dataplane.packets;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a client must see according to the specification. */
public sealed interface Expected {
    /**
     * Each of these answers some connection, and no other server answers any.
     *
     * @param servers their names, with a star behind those that see a masqueraded source: {@code L1*}
     */
    record Answers(Set<String> servers) implements Expected {
        public Answers {
            servers = new TreeSet<>(servers);
        }

        @Override
        public String toString() {
            return String.join(" ", servers);
        }
    }

    /** Refused at once: reset or port unreachable. */
    record Refused() implements Expected {
        @Override
        public String toString() {
            return "refused";
        }
    }

    /** Nothing comes back, because the data plane drops it. */
    record Silence() implements Expected {
        @Override
        public String toString() {
            return "silence";
        }
    }

    /** The data plane keeps out of it and a process of the node answers. */
    record Host() implements Expected {
        @Override
        public String toString() {
            return "host";
        }
    }

    /** The data plane does not handle the packet and nothing listens there: silence, or the host refuses. */
    record Unserved() implements Expected {
        @Override
        public String toString() {
            return "unserved";
        }
    }

    /** {@code "L1* R1"}: answered by both, masqueraded where starred; or {@code refused}, {@code silence}, {@code host}, {@code unserved}. */
    static Expected parse(String text) {
        return switch (text.strip()) {
            case "refused" -> new Refused();
            case "silence" -> new Silence();
            case "host" -> new Host();
            case "unserved" -> new Unserved();
            default ->
                new Answers(Stream.of(text.strip().split(" +", -1)).collect(Collectors.toCollection(TreeSet::new)));
        };
    }
}
