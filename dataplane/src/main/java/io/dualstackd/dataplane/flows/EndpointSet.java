package io.dualstackd.dataplane.flows;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Endpoints of one family, packed: 8 bytes each in IPv4, 24 in IPv6. They are remembered for every Service with a UDP port. */
public final class EndpointSet {
    public static final EndpointSet EMPTY = new EndpointSet(IpFamily.IPV4, new long[0]);

    /** IPv4: address, port. */
    private static final int V4_WORDS = 1;
    /** IPv6: the address's two halves, port. */
    private static final int V6_WORDS = 3;

    private final IpFamily family;
    /** In the order of {@link IpPort}, each once. */
    private final long[] packed;

    private EndpointSet(IpFamily family, long[] packed) {
        this.family = family;
        this.packed = packed;
    }

    /** @param endpoints all of one family, in any order */
    public static EndpointSet of(Collection<IpPort> endpoints) {
        if (endpoints.isEmpty()) {
            return EMPTY;
        }
        List<IpPort> sorted = endpoints.stream().distinct().sorted().toList();
        IpFamily family = sorted.getFirst().ip().family();
        int words = family == IpFamily.IPV4 ? V4_WORDS : V6_WORDS;
        long[] packed = new long[sorted.size() * words];
        for (int i = 0; i < sorted.size(); i++) {
            IpPort endpoint = sorted.get(i);
            switch (endpoint.ip()) {
                case Ip.V4(int bits) -> packed[i] = (bits & 0xffffffffL) << 16 | endpoint.port();
                case Ip.V6(long high, long low) -> {
                    packed[i * words] = high;
                    packed[i * words + 1] = low;
                    packed[i * words + 2] = endpoint.port();
                }
            }
        }
        return new EndpointSet(family, packed);
    }

    public int size() {
        return packed.length / (family == IpFamily.IPV4 ? V4_WORDS : V6_WORDS);
    }

    private IpPort at(int index) {
        if (family == IpFamily.IPV4) {
            return new IpPort(new Ip.V4((int) (packed[index] >>> 16)), (int) packed[index] & 0xffff);
        }
        int from = index * V6_WORDS;
        return new IpPort(new Ip.V6(packed[from], packed[from + 1]), (int) packed[from + 2]);
    }

    public boolean contains(IpPort endpoint) {
        int low = 0;
        int high = size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = at(middle).compareTo(endpoint);
            if (order == 0) {
                return true;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return false;
    }

    public void forEach(Consumer<IpPort> each) {
        for (int i = 0; i < size(); i++) {
            each.accept(at(i));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EndpointSet that && Arrays.equals(packed, that.packed);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(packed);
    }

    /** {@code [10.0.0.1:53, 10.0.0.2:53]}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        forEach(endpoint -> text.append(text.length() == 1 ? "" : ", ").append(endpoint));
        return text.append(']').toString();
    }
}
