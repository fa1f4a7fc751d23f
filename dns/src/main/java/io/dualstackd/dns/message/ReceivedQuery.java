package io.dualstackd.dns.message;

import io.netty.handler.codec.dns.DnsResponseCode;
import java.util.Optional;

/** The result of reading a packet from a client. */
public sealed interface ReceivedQuery {
    /** A question to be answered. */
    record Valid(DnsQuery query) implements ReceivedQuery {}

    /**
     * A query that is answered with a code alone.
     *
     * @param flags of its header, some of which the answer repeats
     * @param question if it could be read
     * @param edns if it could be read
     */
    record Refused(int id, int flags, DnsResponseCode code, Optional<DnsQuestion> question, Optional<Edns> edns)
            implements ReceivedQuery {}

    /** A packet that is not answered: too short for an id, or an answer itself. Answering it could start an endless exchange. */
    record Ignored() implements ReceivedQuery {}
}
