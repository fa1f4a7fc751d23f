package io.dualstackd.dataplane.churn;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;

/** The addresses of a node's world, written as IPv4; in IPv6 they are the last 32 bits of {@code fd00::/96}. */
record Net(IpFamily family) {
    private static final int NODE_PORTS = 30000;

    Ip ip(String text) {
        return family == IpFamily.IPV4 ? Ip.parse(text) : Ip.parse("fd00::" + text);
    }

    Ip loopback() {
        return Ip.parse(family == IpFamily.IPV4 ? "127.0.0.1" : "::1");
    }

    IpPrefix network(String text) {
        IpPrefix network = IpPrefix.parse(text);
        int longer = family.bits() - IpFamily.IPV4.bits();
        return new IpPrefix(ip(network.address().toString()), network.length() + longer);
    }

    Ip clusterIp(int service) {
        return ip("172.30.0." + (1 + service));
    }

    Ip externalIp(int number) {
        return ip("198.51.100." + (1 + number));
    }

    Ip vip(int number) {
        return ip("203.0.114." + (1 + number));
    }

    /** Services share some ports, so that only addresses tell them apart, and not all. */
    static int port(int service) {
        return 80 + service % 5;
    }

    static int nodePort(int service) {
        return NODE_PORTS + service;
    }
}
