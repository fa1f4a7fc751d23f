package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.PackedEndpoints;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code discovery.k8s.io/v1 EndpointSlice}. */
final class RawEndpointSlice extends RawObject {
    private static final Message OBJECT = Message.of(
            "EndpointSlice", "message metadata = 1, messages endpoints = 2, messages ports = 3, text addressType = 4");
    private static final Message PORT = Message.of("EndpointPort", "text name = 1, text protocol = 2, number port = 3");

    private static final EndpointSlice.AddressType[] TYPES = EndpointSlice.AddressType.values();
    private static final int MAX_PORT = 65_535;
    /** Endpoints for which there is room at first. */
    private static final int USUAL = 16;

    /** One port of the slice; the number -1 when absent. */
    private record Port(String name, String protocol, int port) {}

    /** An endpoint whose address is invalid, if the slice holds IP addresses at all: that is known only at its end. */
    private record Odd(int index, String address) {}

    private final RawEndpoint endpoint = new RawEndpoint();
    private String addressType = "";
    private final PackedEndpoints.Builder endpoints = new PackedEndpoints.Builder(USUAL);
    private final List<Port> ports = new ArrayList<>(2);
    private List<Odd> odd = List.of();
    private int count;

    RawEndpointSlice() {
        super(ObjectKey.Kind.ENDPOINT_SLICE, OBJECT);
    }

    @Override
    void part(FieldReader in) throws IOException {
        switch (in.field()) {
            case "endpoints" -> {
                endpoint.read(in);
                add(endpoint);
            }
            case "ports" -> ports.add(port(in));
            default -> addressType = in.name();
        }
    }

    private static Port port(FieldReader in) throws IOException {
        String name = "";
        String protocol = "";
        int number = -1;
        in.enter(PORT);
        while (in.next()) {
            switch (in.field()) {
                case "name" -> name = in.name();
                case "protocol" -> protocol = in.name();
                default -> number = in.number();
            }
        }
        return new Port(name, protocol, number);
    }

    private void add(RawEndpoint parts) {
        if (!parts.addTo(endpoints)) {
            if (odd.isEmpty()) {
                odd = new ArrayList<>();
            }
            odd.add(new Odd(count, parts.text()));
        }
        count++;
    }

    @Override
    public EndpointSlice build() {
        EndpointSlice.AddressType type =
                ignored.word(addressType, TYPES, EndpointSlice.AddressType.FQDN, "addressType");
        return new EndpointSlice(
                meta.namespace(),
                meta.name(),
                meta.mark(WellKnownLabel.SERVICE).filter(service -> !service.isEmpty()),
                meta.mark(WellKnownLabel.HEADLESS).isPresent(),
                type,
                ports(),
                endpoints(type),
                meta.mark(WellKnownLabel.TRIGGER_TIME).flatMap(text -> time(text)));
    }

    private List<EndpointSlice.Port> ports() {
        List<EndpointSlice.Port> decoded = new ArrayList<>(ports.size());
        for (int i = 0; i < ports.size(); i++) {
            Port port = ports.get(i);
            Optional<Proto> protocol = RawService.protocol(port.protocol());
            if (protocol.isEmpty()) {
                ignored.drop("ports[" + i + "].protocol", port.protocol(), "is none of TCP, UDP, SCTP");
            } else if (port.port() > MAX_PORT || port.port() < -1) {
                ignored.drop("ports[" + i + "].port", Integer.toString(port.port()), "must be 0 to 65535");
            } else {
                OptionalInt number = port.port() < 0 ? OptionalInt.empty() : OptionalInt.of(port.port());
                decoded.add(new EndpointSlice.Port(Optional.of(port.name()), protocol.get(), number));
            }
        }
        return decoded;
    }

    private List<EndpointSlice.Endpoint> endpoints(EndpointSlice.AddressType type) {
        return switch (type) {
            case FQDN -> List.of();
            case IPV4 -> endpoints(IpFamily.IPV4);
            case IPV6 -> endpoints(IpFamily.IPV6);
        };
    }

    private List<EndpointSlice.Endpoint> endpoints(IpFamily family) {
        for (Odd bad : odd) {
            ignored.drop(
                    "endpoints[" + bad.index + "].addresses[0]",
                    bad.address,
                    "must be an address that other hosts can use");
        }
        return endpoints.isOnly(family) ? endpoints.build() : ofFamily(family);
    }

    private List<EndpointSlice.Endpoint> ofFamily(IpFamily family) {
        List<EndpointSlice.Endpoint> kept = new ArrayList<>(endpoints.build());
        kept.removeIf(endpoint -> {
            Ip address = endpoint.address();
            boolean other = address.family() != family;
            if (other) {
                ignored.drop("endpoints.addresses", address.toString(), "must be " + family + " as addressType says");
            }
            return other;
        });
        return kept;
    }

    private Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            ignored.drop("metadata.annotations." + WellKnownLabel.TRIGGER_TIME.key(), text, "is no time (RFC 3339)");
            return Optional.empty();
        }
    }
}
