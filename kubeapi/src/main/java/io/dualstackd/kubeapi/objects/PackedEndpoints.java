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
final class PackedEndpoints extends AbstractList<EndpointSlice.Endpoint> implements RandomAccess {
    private static final String NOWHERE = "";
    private static final String UNNAMED = "";

    /** Size of one endpoint in {@link #bits}: its address in 4 or 16 bytes, then {@link ConditionBits}. */
    private final int stride;

    private final byte[] bits;
    /** Names repeat in the whole cluster and are shared; null when no endpoint has a node name. */
    private final String @Nullable [] nodeNames;
    /** Zone hints, then node hints of each endpoint; null when there are none, as in most clusters. */
    private final Set<String> @Nullable [] hints;
    /** Null when no endpoint has a hostname, as in all slices of an API server. */
    private final String @Nullable [] hostnames;

    private PackedEndpoints(List<EndpointSlice.Endpoint> endpoints) {
        int size = endpoints.size();
        boolean wide = false;
        boolean named = false;
        boolean hinted = false;
        boolean hosted = false;
        for (EndpointSlice.Endpoint endpoint : endpoints) {
            wide |= endpoint.address().family() == IpFamily.IPV6;
            named |= !endpoint.nodeName().isEmpty();
            hinted |= !endpoint.zoneHints().isEmpty() || !endpoint.nodeHints().isEmpty();
            hosted |= !endpoint.hostname().isEmpty();
        }
        stride = (wide ? 16 : 4) + 1;
        bits = new byte[size * stride];
        nodeNames = named ? new String[size] : null;
        hints = hinted ? hints(size) : null;
        hostnames = hosted ? new String[size] : null;
        int index = 0;
        for (EndpointSlice.Endpoint endpoint : endpoints) {
            endpoint.address().copyTo(bits, index * stride);
            bits[(index + 1) * stride - 1] =
                    ConditionBits.pack(endpoint.conditions(), endpoint.address().family());
            if (nodeNames != null) {
                nodeNames[index] = endpoint.nodeName();
            }
            if (hints != null) {
                hints[2 * index] = endpoint.zoneHints();
                hints[2 * index + 1] = endpoint.nodeHints();
            }
            if (hostnames != null) {
                hostnames[index] = endpoint.hostname();
            }
            index++;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type cannot be made otherwise
    private static Set<String>[] hints(int size) {
        return new Set[2 * size];
    }

    static List<EndpointSlice.Endpoint> of(List<EndpointSlice.Endpoint> endpoints) {
        if (endpoints.isEmpty()) {
            return List.of();
        }
        return endpoints instanceof PackedEndpoints ? endpoints : new PackedEndpoints(endpoints);
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
                nodeNames == null ? NOWHERE : nodeNames[index],
                hints == null ? Set.of() : hints[2 * index],
                hints == null ? Set.of() : hints[2 * index + 1],
                hostnames == null ? UNNAMED : hostnames[index]);
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
