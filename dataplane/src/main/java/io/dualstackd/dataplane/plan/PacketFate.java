package io.dualstackd.dataplane.plan;

import io.dualstackd.dataplane.model.ServicePortName;
import java.util.List;
import java.util.Optional;

/** What happens to the first packet of a connection. */
public sealed interface PacketFate {
    /**
     * It is sent to one of these, each with the same probability.
     *
     * @param reason why these, and why with that source address
     * @param hops never empty
     */
    record Forwarded(ServicePortName service, Reason reason, List<Hop> hops) implements PacketFate {
        public Forwarded {
            hops = List.copyOf(hops);
        }
    }

    /** It is refused with "port unreachable": a TCP client sees "connection refused" at once. */
    record Rejected(ServicePortName service, String why) implements PacketFate {}

    /**
     * It is dropped without an answer.
     *
     * @param service empty when none has the address
     */
    record Dropped(Optional<ServicePortName> service, String why) implements PacketFate {}

    /** No Service matches; the node's own routes and sockets decide. */
    record NotOurs() implements PacketFate {}

    /**
     * A possible next hop.
     *
     * @param masqueraded the endpoint sees an address of the node instead of the client's
     */
    record Hop(Backend to, boolean masqueraded) {}

    /**
     * Why a packet is forwarded this way, in phrases shown to the user.
     *
     * @param address what the destination is to the Service: {@code ClusterIP}, {@code node port} …
     * @param endpoints which of its endpoints may be chosen
     * @param keepsSource whether the client's address is kept, {@linkplain Hop hairpins} apart
     * @param source why it is kept or masqueraded
     */
    record Reason(String address, String endpoints, boolean keepsSource, String source) {}

    PacketFate NOT_OURS = new NotOurs();
}
