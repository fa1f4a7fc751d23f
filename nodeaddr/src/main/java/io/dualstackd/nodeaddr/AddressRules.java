package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import java.util.Optional;

/** Rules that no node IP may break, whatever the state of the host. Texts and order are kubelet's ({@code validateNodeIP}). */
final class AddressRules {
    private AddressRules() {}

    /** Returns the first rule the address breaks. */
    static Optional<String> brokenBy(Ip ip) {
        if (ip.isLoopback()) {
            return Optional.of("nodeIP can't be loopback address");
        }
        if (ip.isMulticast()) {
            return Optional.of("nodeIP can't be a multicast address");
        }
        if (ip.isLinkLocal()) {
            return Optional.of("nodeIP can't be a link-local unicast address");
        }
        if (ip.isUnspecified()) {
            return Optional.of("nodeIP can't be an all zeros address");
        }
        return Optional.empty();
    }
}
