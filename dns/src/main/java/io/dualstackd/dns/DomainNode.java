package io.dualstackd.dns;

import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.EndpointTarget;
import java.util.List;
import java.util.Optional;

/** The content of a name in the domain. */
sealed interface DomainNode {
    /** A name that exists and has no records of its own. */
    DomainNode EMPTY = new Addresses(List.of());

    /** No such name. */
    record Missing() implements DomainNode {}

    /** Addresses with ports. */
    record Addresses(List<EndpointTarget> targets) implements DomainNode {
        public Addresses {
            targets = List.copyOf(targets);
        }
    }

    /** An alias of another name. */
    record Alias(DnsName target) implements DomainNode {}

    /** The domain itself. */
    record Apex() implements DomainNode {}

    /** {@code dns-version}. */
    record Version() implements DomainNode {}

    /** Returns a name that exists only if it has targets. */
    static DomainNode of(List<EndpointTarget> targets) {
        return targets.isEmpty() ? new Missing() : new Addresses(targets);
    }

    static DomainNode existing(boolean exists) {
        return exists ? EMPTY : new Missing();
    }

    static DomainNode of(Optional<DomainNode> node) {
        return node.orElseGet(Missing::new);
    }
}
