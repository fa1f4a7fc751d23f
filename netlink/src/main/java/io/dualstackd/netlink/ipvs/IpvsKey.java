package io.dualstackd.netlink.ipvs;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;

/** The identity of a virtual server: the packets it receives, unique in its namespace. */
public sealed interface IpvsKey {
    IpFamily family();

    /**
     * Packets to an address and port.
     *
     * @param port 0 to 65535; 0 means every port, which the kernel allows for persistent servers only
     */
    record At(Ip address, Proto protocol, int port) implements IpvsKey {
        public At {
            if (port < 0 || port > 65535) {
                throw new IllegalArgumentException("port " + port + " is not in 0..65535");
            }
        }

        @Override
        public IpFamily family() {
            return address.family();
        }

        /** As {@code ipvsadm} prints it: {@code tcp 10.96.0.1:443}, {@code udp [fd00::a]:53}. */
        @Override
        public String toString() {
            return protocol + " " + (address instanceof Ip.V6 ? "[" + address + "]" : address) + ":" + port;
        }
    }

    /** Packets with a firewall mark. */
    record Marked(IpFamily family, int mark) implements IpvsKey {
        @Override
        public String toString() {
            return "fwm " + Integer.toUnsignedString(mark) + " " + family;
        }
    }
}
