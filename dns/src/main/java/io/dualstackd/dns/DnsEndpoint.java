package io.dualstackd.dns;

import io.dualstackd.netlink.ip.Ip;
import java.util.Locale;
import java.util.Optional;

/**
 * One endpoint of a Service.
 *
 * @param hostname as in its slice
 * @param ready condition {@code ready}; true when it is unknown
 */
public record DnsEndpoint(Ip address, Optional<String> hostname, boolean ready) {
    public DnsEndpoint {
        hostname = hostname.filter(name -> !name.isEmpty()).map(name -> name.toLowerCase(Locale.ROOT));
    }

    /** The label of the endpoint in names: its hostname, or its address with dashes ({@code 10-1-2-3}, {@code fd00--5}). */
    String label() {
        return hostname.orElseGet(() -> {
            String dashes = address.toString().replace('.', '-').replace(':', '-');
            // A label does not end with a dash: "fd00::" becomes "fd00--0".
            return dashes.endsWith("-") ? dashes + "0" : dashes;
        });
    }
}
