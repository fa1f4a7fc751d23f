package io.dualstackd.dns;

import java.util.List;
import java.util.Optional;

/** What there is at a name of the domain. */
sealed interface Node {
    /** A name that exists, and has no records of its own. */
    Node EMPTY = new Addresses(List.of());

    /** No such name. */
    record Missing() implements Node {}

    /** Addresses with ports. */
    record Addresses(List<Target> targets) implements Node {
        public Addresses {
            targets = List.copyOf(targets);
        }
    }

    /** Another name for something. */
    record Alias(DnsName target) implements Node {}

    /** The domain itself. */
    record Apex() implements Node {}

    /** {@code dns-version}. */
    record Version() implements Node {}

    /** A name that exists only while something is behind it. */
    static Node of(List<Target> targets) {
        return targets.isEmpty() ? new Missing() : new Addresses(targets);
    }

    static Node existing(boolean exists) {
        return exists ? EMPTY : new Missing();
    }

    static Node of(Optional<Node> node) {
        return node.orElseGet(Missing::new);
    }
}
