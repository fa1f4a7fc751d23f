package io.dualstackd.kubeapi.snapshot;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.PackedEndpoints;
import io.dualstackd.netlink.ip.Proto;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** An EndpointSlice in a snapshot: its endpoints are in the form in which they are kept. */
final class SliceFormat {
    private static final EndpointSlice.AddressType[] TYPES = EndpointSlice.AddressType.values();

    private SliceFormat() {}

    static void write(SnapshotOutput out, EndpointSlice slice) throws IOException {
        out.name(slice.namespace());
        out.text(slice.name());
        out.optionalText(slice.service());
        out.flag(slice.headless());
        out.choice(slice.addressType());
        out.number(slice.ports().size());
        for (EndpointSlice.Port port : slice.ports()) {
            out.flag(port.name().isPresent());
            out.name(port.name().orElse(""));
            out.protocol(port.protocol());
            // 0 when there is none.
            out.number(port.port().isPresent() ? port.port().getAsInt() + 1 : 0);
        }
        if (slice.endpoints() instanceof PackedEndpoints packed) {
            endpoints(out, packed);
        } else {
            out.number(0);
        }
        out.flag(slice.triggerTime().isPresent());
        if (slice.triggerTime().isPresent()) {
            Instant time = slice.triggerTime().get();
            out.number(time.getEpochSecond());
            out.number(time.getNano());
        }
    }

    private static void endpoints(SnapshotOutput out, PackedEndpoints endpoints) throws IOException {
        out.number(endpoints.size());
        out.number(endpoints.stride());
        byte[] bits = endpoints.bits();
        out.bytes(bits, bits.length);
        names(out, endpoints.nodeNames());
        List<Set<String>> hints = endpoints.hints();
        out.number(hints.size());
        for (Set<String> some : hints) {
            names(out, List.copyOf(some));
        }
        names(out, endpoints.hostnames());
    }

    private static void names(SnapshotOutput out, List<String> names) throws IOException {
        out.number(names.size());
        for (String name : names) {
            out.name(name);
        }
    }

    static EndpointSlice read(SnapshotInput in) throws IOException {
        return new EndpointSlice(
                in.name(),
                in.text(),
                in.optionalText(),
                in.flag(),
                in.choice(TYPES),
                ports(in),
                endpoints(in),
                in.flag() ? Optional.of(Instant.ofEpochSecond(in.longNumber(), in.number())) : Optional.empty());
    }

    private static List<EndpointSlice.Port> ports(SnapshotInput in) throws IOException {
        int count = in.number();
        List<EndpointSlice.Port> ports = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            boolean named = in.flag();
            String name = in.name();
            Proto protocol = in.protocol();
            int port = in.number() - 1;
            ports.add(new EndpointSlice.Port(
                    named ? Optional.of(name) : Optional.empty(),
                    protocol,
                    port < 0 ? OptionalInt.empty() : OptionalInt.of(port)));
        }
        return ports;
    }

    private static List<EndpointSlice.Endpoint> endpoints(SnapshotInput in) throws IOException {
        int count = in.number();
        if (count == 0) {
            return List.of();
        }
        int stride = in.number();
        byte[] bits = in.bytes(Math.multiplyExact(count, stride));
        List<String> nodeNames = names(in);
        int hintCount = in.number();
        List<Set<String>> hints = new ArrayList<>(hintCount);
        for (int i = 0; i < hintCount; i++) {
            hints.add(Set.copyOf(names(in)));
        }
        return PackedEndpoints.of(stride, bits, nodeNames, hints, names(in));
    }

    private static List<String> names(SnapshotInput in) throws IOException {
        int count = in.number();
        if (count == 0) {
            return List.of();
        }
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = in.name();
        }
        return Arrays.asList(names);
    }
}
