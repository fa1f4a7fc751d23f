package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.Locale;

/** One element of {@code --node-ips}: which address of one family is to be the node's. Its text is the form the administrator writes. */
public sealed interface NodeIp {
    /** This address and no other; the node must have it. */
    record Exact(Ip ip) implements NodeIp {
        @Override
        public IpFamily family() {
            return ip.family();
        }

        @Override
        public String toString() {
            return ip.toString();
        }
    }

    /** Any address of the family; may be absent. */
    record Any(IpFamily family) implements NodeIp {
        @Override
        public String toString() {
            return keyword(family);
        }
    }

    /**
     * An address on the interface of that name; may be absent.
     *
     * @param name 1 to 15 bytes, without {@code /} and blanks
     */
    record OnInterface(String name, IpFamily family) implements NodeIp {
        @Override
        public String toString() {
            return NodeIpText.INTERFACE + name + "/" + keyword(family);
        }
    }

    /** An address inside the network; may be absent. */
    record Within(IpPrefix network) implements NodeIp {
        @Override
        public IpFamily family() {
            return network.family();
        }

        @Override
        public String toString() {
            return network.toString();
        }
    }

    /** The only family of addresses that can match this element. */
    IpFamily family();

    /** True when the node must have this address. */
    default boolean isRequired() {
        return this instanceof Exact;
    }

    private static String keyword(IpFamily family) {
        return family.toString().toLowerCase(Locale.ROOT);
    }
}
