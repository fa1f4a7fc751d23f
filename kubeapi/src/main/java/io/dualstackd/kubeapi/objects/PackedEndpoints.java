package io.dualstackd.kubeapi.objects;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of a slice in a compact form, for nodes with a hundred thousand of them: addresses and conditions of all of
 * them in one array. An {@link EndpointSlice.Endpoint} is created on access. Immutable.
 */
public final class PackedEndpoints extends AbstractList<EndpointSlice.Endpoint> implements RandomAccess {
    private static final String NONE = "";

    /** Size of one endpoint in {@link #bits}: its address in 4 or 16 bytes, then {@link ConditionBits}. */
    private final int stride;

    private final byte[] bits;
    /** Names repeat in the whole cluster and are shared; null when no endpoint has a node name. */
    private final String @Nullable [] nodeNames;
    /** Zone hints, then node hints of each endpoint; null when there are none, as in most clusters. */
    private final Set<String> @Nullable [] hints;
    /** Null when no endpoint has a hostname, as in all slices of an API server. */
    private final String @Nullable [] hostnames;

    private PackedEndpoints(
            int stride,
            byte[] bits,
            String @Nullable [] nodeNames,
            Set<String> @Nullable [] hints,
            String @Nullable [] hostnames) {
        this.stride = stride;
        this.bits = bits;
        this.nodeNames = nodeNames;
        this.hints = hints;
        this.hostnames = hostnames;
    }

    static List<EndpointSlice.Endpoint> of(List<EndpointSlice.Endpoint> endpoints) {
        if (endpoints instanceof PackedEndpoints) {
            return endpoints;
        }
        Builder builder = new Builder(endpoints.size());
        endpoints.forEach(endpoint -> builder.add(
                endpoint.address(),
                endpoint.conditions(),
                endpoint.nodeName(),
                endpoint.zoneHints(),
                endpoint.nodeHints(),
                endpoint.hostname()));
        return builder.build();
    }

    /**
     * Endpoints in the form that the methods {@link #stride}, {@link #bits}, {@link #nodeNames}, {@link #hints} and {@link #hostnames} return.
     *
     * @throws IllegalArgumentException if there are more or fewer of one than of another
     */
    public static List<EndpointSlice.Endpoint> of(
            int stride, byte[] bits, List<String> nodeNames, List<Set<String>> hints, List<String> hostnames) {
        int size = bits.length / stride;
        if (size * stride != bits.length
                || wrong(nodeNames, size)
                || wrong(hints, 2 * size)
                || wrong(hostnames, size)) {
            throw new IllegalArgumentException("columns of different lengths");
        }
        return new PackedEndpoints(stride, bits, names(nodeNames), sets(hints), names(hostnames));
    }

    private static boolean wrong(List<?> column, int size) {
        return !column.isEmpty() && column.size() != size;
    }

    private static String @Nullable [] names(List<String> names) {
        return names.isEmpty() ? null : names.toArray(String[]::new);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type cannot be made otherwise
    private static Set<String> @Nullable [] sets(List<Set<String>> sets) {
        return sets.isEmpty() ? null : sets.toArray(new Set[0]);
    }

    /** The size in bytes of one endpoint in {@link #bits}. */
    public int stride() {
        return stride;
    }

    /** Addresses and conditions of all endpoints, a fresh array. */
    public byte[] bits() {
        return bits.clone();
    }

    /** The name of the node of each endpoint; empty when no endpoint has one. */
    public List<String> nodeNames() {
        return nodeNames == null ? List.of() : List.of(nodeNames);
    }

    /** Zone hints, then node hints of each endpoint; empty when no endpoint has any. */
    public List<Set<String>> hints() {
        return hints == null ? List.of() : List.of(hints);
    }

    /** The host name of each endpoint; empty when no endpoint has one. */
    public List<String> hostnames() {
        return hostnames == null ? List.of() : List.of(hostnames);
    }

    /** Packs endpoints one by one, without an object for each. Used by one thread, for one list. */
    public static final class Builder {
        private static final int NARROW = 4 + 1;
        private static final int WIDE = 16 + 1;

        private int stride = NARROW;
        private byte[] bits = {};
        private String @Nullable [] nodeNames;
        private Set<String> @Nullable [] hints;
        private String @Nullable [] hostnames;
        private int room;
        private int size;

        /** @param expected number of endpoints; there may be more */
        public Builder(int expected) {
            room = expected;
        }

        /** Adds an endpoint; the sets are not changed any more. */
        public void add(
                Ip address,
                EndpointSlice.Conditions conditions,
                String nodeName,
                Set<String> zoneHints,
                Set<String> nodeHints,
                String hostname) {
            makeRoom(address.family() == IpFamily.IPV4 ? stride : WIDE);
            address.copyTo(bits, size * stride);
            bits[(size + 1) * stride - 1] = ConditionBits.pack(conditions, address.family());
            nodeNames = put(nodeNames, nodeName);
            hostnames = put(hostnames, hostname);
            if (hints == null && !(zoneHints.isEmpty() && nodeHints.isEmpty())) {
                hints = noHints(2 * room);
            }
            if (hints != null) {
                hints[2 * size] = zoneHints;
                hints[2 * size + 1] = nodeHints;
            }
            size++;
        }

        /** Makes room for one more endpoint, and for longer addresses if there is one. */
        private void makeRoom(int wanted) {
            if (size == room) {
                room = Math.max(4, 2 * room);
                nodeNames = nodeNames == null ? null : Arrays.copyOf(nodeNames, room);
                hints = hints == null ? null : Arrays.copyOf(hints, 2 * room);
                hostnames = hostnames == null ? null : Arrays.copyOf(hostnames, room);
            }
            if (wanted * room == bits.length) {
                return;
            }
            byte[] more = new byte[wanted * room];
            for (int i = 0; i < size; i++) {
                System.arraycopy(bits, i * stride, more, i * wanted, stride - 1);
                more[(i + 1) * wanted - 1] = bits[(i + 1) * stride - 1];
            }
            bits = more;
            stride = wanted;
        }

        /** An array with this name; null while all endpoints have none. */
        private String @Nullable [] put(String @Nullable [] names, String name) {
            String[] some = names;
            if (some == null) {
                if (name.isEmpty()) {
                    return null;
                }
                some = new String[room];
                Arrays.fill(some, 0, size, NONE);
            }
            some[size] = name;
            return some;
        }

        @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type cannot be made otherwise
        private static Set<String>[] noHints(int length) {
            Set<String>[] none = new Set[length];
            Arrays.fill(none, Set.of());
            return none;
        }

        /** Whether all endpoints have an address of this family. */
        public boolean isOnly(IpFamily family) {
            for (int i = 1; i <= size; i++) {
                if (ConditionBits.family(bits[i * stride - 1]) != family) {
                    return false;
                }
            }
            return true;
        }

        /** The endpoints in the order in which they were added, immutable. */
        public List<EndpointSlice.Endpoint> build() {
            return size == 0
                    ? List.of()
                    : new PackedEndpoints(
                            stride,
                            Arrays.copyOf(bits, size * stride),
                            nodeNames == null ? null : Arrays.copyOf(nodeNames, size),
                            hints == null ? null : Arrays.copyOf(hints, 2 * size),
                            hostnames == null ? null : Arrays.copyOf(hostnames, size));
        }
    }

    @Override
    public int size() {
        return bits.length / stride;
    }

    @Override
    public EndpointSlice.Endpoint get(int index) {
        Objects.checkIndex(index, size());
        int at = index * stride;
        byte conditions = bits[at + stride - 1];
        int length = ConditionBits.family(conditions) == IpFamily.IPV4 ? 4 : 16;
        return new EndpointSlice.Endpoint(
                Ip.ofBytes(bits, at, length),
                ConditionBits.unpack(conditions),
                nodeNames == null ? NONE : nodeNames[index],
                hints == null ? Set.of() : hints[2 * index],
                hints == null ? Set.of() : hints[2 * index + 1],
                hostnames == null ? NONE : hostnames[index]);
    }

    void visit(EndpointSlice.EndpointVisitor to) {
        for (int index = 0; index < size(); index++) {
            byte conditions = bits[(index + 1) * stride - 1];
            to.endpoint(
                    Ip.ofBytes(
                            bits,
                            index * stride,
                            ConditionBits.family(conditions).bytes()),
                    ConditionBits.unpack(conditions),
                    nodeNames == null ? NONE : nodeNames[index],
                    hints == null ? Set.of() : hints[2 * index],
                    hints == null ? Set.of() : hints[2 * index + 1]);
        }
    }

    void addresses(Consumer<Ip> to) {
        for (int at = 0; at < bits.length; at += stride) {
            int length = ConditionBits.family(bits[at + stride - 1]).bytes();
            to.accept(Ip.ofBytes(bits, at, length));
        }
    }

    /** Whether an endpoint has this address, 4 or 16 bytes; creates no endpoints. Called for each slice of a cluster in a row. */
    boolean has(byte[] address) {
        int length = address.length;
        byte last = address[length - 1];
        for (int at = 0; at + length < bits.length; at += stride) {
            // Adjacent addresses differ in their last byte.
            if (bits[at + length - 1] == last
                    && Arrays.equals(bits, at, at + length, address, 0, length)
                    && ConditionBits.family(bits[at + stride - 1]).bytes() == length) {
                return true;
            }
        }
        return false;
    }

    /** Whether an endpoint is ready; creates no endpoints. In most slices the first one is. */
    boolean hasReady() {
        for (int at = stride - 1; at < bits.length; at += stride) {
            if (ConditionBits.unpack(bits[at]).ready().orElse(true)) {
                return true;
            }
        }
        return false;
    }

    /** Equality of lists, but without creating the endpoints. */
    @Override
    public boolean equals(Object other) {
        return other instanceof PackedEndpoints packed
                ? stride == packed.stride
                        && Arrays.equals(bits, packed.bits)
                        && Arrays.equals(nodeNames, packed.nodeNames)
                        && Arrays.equals(hints, packed.hints)
                        && Arrays.equals(hostnames, packed.hostnames)
                : super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
