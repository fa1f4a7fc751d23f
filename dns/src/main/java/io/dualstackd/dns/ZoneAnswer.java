package io.dualstackd.dns;

import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.DnsRecord;
import java.util.List;

/** What the zone says to a question. */
public sealed interface ZoneAnswer {
    /** The whole answer. */
    record Known(DnsAnswer answer) implements ZoneAnswer {}

    /**
     * An ExternalName outside: these records, and what others answer for {@code target}.
     *
     * @param aliases {@code CNAME} records, of which the last leads to the target
     */
    record Alias(List<DnsRecord> aliases, DnsName target) implements ZoneAnswer {
        public Alias {
            aliases = List.copyOf(aliases);
        }
    }

    /** Not a name of ours. */
    record NotOurs() implements ZoneAnswer {}

    /** A name of ours, and the Services have not been read yet. */
    record NotReady() implements ZoneAnswer {}
}
