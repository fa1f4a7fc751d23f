package io.dualstackd.netlink.ip;

/**
 * An address and a transport port.
 *
 * @param port 0 to 65535
 */
public record IpPort(Ip ip, int port) implements Comparable<IpPort> {
    public IpPort {
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("port " + port + " is not in 0..65535");
        }
    }

    @Override
    public int compareTo(IpPort other) {
        int byIp = ip.compareTo(other.ip);
        return byIp != 0 ? byIp : Integer.compare(port, other.port);
    }

    /** Compares the texts, in which {@code 10.0.0.10:80} comes before {@code 10.0.0.1:80}; creates none for addresses that are alike. */
    public static int compareAsText(IpPort one, IpPort other) {
        return IpText.compare(one, other);
    }

    /** {@code 10.0.0.1:80} or {@code [fd00::1]:80}. */
    @Override
    public String toString() {
        return IpText.print(this);
    }
}
