package io.dualstackd.dns;

import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.DnsRecord;
import java.util.List;

/** The zone's answer to a question. */
public sealed interface ZoneAnswer {
    /** The whole answer. */
    record Known(DnsAnswer answer) implements ZoneAnswer {}

    /**
     * An ExternalName outside the domain: these records, and the answer of other resolvers for {@code target}.
     *
     * @param aliases {@code CNAME} records, the last of which has the target
     */
    record Alias(List<DnsRecord> aliases, DnsName target) implements ZoneAnswer {
        public Alias {
            aliases = List.copyOf(aliases);
        }
    }

    /** The name is not in the zone. */
    record NotOurs() implements ZoneAnswer {}

    /** The name is in the zone, but the Services have not been read yet. */
    record NotReady() implements ZoneAnswer {}
}
