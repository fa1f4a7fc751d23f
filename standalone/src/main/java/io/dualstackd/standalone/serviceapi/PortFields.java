package io.dualstackd.standalone.serviceapi;

import io.dualstackd.netlink.ip.Proto;

/**
 * The fields of an entry of {@code spec.ports} that decide about its node port.
 *
 * @param name may be empty when it is the only entry
 * @param port 1 to 65535
 * @param nodePort 0 when none was named
 */
public record PortFields(String name, Proto protocol, int port, int nodePort) {
    PortFields withNodePort(int number) {
        return new PortFields(name, protocol, port, number);
    }
}
