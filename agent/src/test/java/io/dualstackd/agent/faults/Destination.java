package io.dualstackd.agent.faults;

/** Where clients send to. What is not a Service has an empty protocol: the parts of the rules that all Services share. */
record Destination(String ip, String protocol, int port) implements Comparable<Destination> {
    static final Destination FRAME4 = new Destination("what all Services share, IPv4", "", 0);
    static final Destination FRAME6 = new Destination("what all Services share, IPv6", "", 0);

    @Override
    public int compareTo(Destination other) {
        int order = ip.compareTo(other.ip);
        order = order == 0 ? protocol.compareTo(other.protocol) : order;
        return order == 0 ? Integer.compare(port, other.port) : order;
    }

    @Override
    public String toString() {
        return protocol.isEmpty() ? ip : (ip.contains(":") ? "[" + ip + "]" : ip) + ":" + port + "/" + protocol;
    }
}
