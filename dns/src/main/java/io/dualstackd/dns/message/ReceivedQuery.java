package io.dualstackd.dns.message;

import io.netty.handler.codec.dns.DnsResponseCode;
import java.util.Optional;

/** What a packet from a client is. */
public sealed interface ReceivedQuery {
    /** A question to be answered. */
    record Valid(DnsQuery query) implements ReceivedQuery {}

    /**
     * A query that is answered with a code alone.
     *
     * @param flags of its header, of which answers repeat a few
     * @param question when it could be read
     * @param edns when it could be read
     */
    record Refused(int id, int flags, DnsResponseCode code, Optional<DnsQuestion> question, Optional<Edns> edns)
            implements ReceivedQuery {}

    /** Nothing to answer: too short for an id, or an answer itself. Answering it could begin an endless exchange. */
    record Ignored() implements ReceivedQuery {}
}
