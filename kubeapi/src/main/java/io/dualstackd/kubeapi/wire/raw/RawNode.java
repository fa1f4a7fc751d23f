package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Reads {@code v1/Node}. */
final class RawNode extends RawObject {
    private static final Message OBJECT =
            Message.of("Node", "message metadata = 1, message spec = 2, message status = 3");
    private static final Message SPEC =
            Message.of("NodeSpec", "text podCIDR = 1, texts podCIDRs = 7, messages taints = 5");
    private static final Message TAINT = Message.of("Taint", "text key = 1");
    private static final Message STATUS = Message.of("NodeStatus", "messages addresses = 5");
    private static final Message ADDRESS = Message.of("NodeAddress", "text type = 1, text address = 2");

    /** An entry of {@code status.addresses}. */
    private record Address(String type, String address) {}

    private String podCidr = "";
    private List<String> podCidrs = List.of();
    private final List<String> taints = new ArrayList<>();
    private final List<Address> addresses = new ArrayList<>();

    RawNode() {
        super(ObjectKey.Kind.NODE, OBJECT);
    }

    @Override
    void part(FieldReader in) throws IOException {
        switch (in.field()) {
            case "spec" -> spec(in);
            default -> status(in);
        }
    }

    private void spec(FieldReader in) throws IOException {
        in.enter(SPEC);
        while (in.next()) {
            switch (in.field()) {
                case "podCIDR" -> podCidr = in.text();
                case "podCIDRs" -> podCidrs = plus(podCidrs, in.text());
                default -> taint(in);
            }
        }
    }

    private void taint(FieldReader in) throws IOException {
        String key = "";
        in.enter(TAINT);
        while (in.next()) {
            key = in.name();
        }
        taints.add(key);
    }

    private void status(FieldReader in) throws IOException {
        in.enter(STATUS);
        while (in.next()) {
            address(in);
        }
    }

    private void address(FieldReader in) throws IOException {
        String type = "";
        String address = "";
        in.enter(ADDRESS);
        while (in.next()) {
            switch (in.field()) {
                case "type" -> type = in.name();
                default -> address = in.text();
            }
        }
        addresses.add(new Address(type, address));
    }

    @Override
    public Node build() {
        // Older objects have only the single value.
        List<String> cidrs = podCidrs.isEmpty() && !podCidr.isEmpty() ? List.of(podCidr) : podCidrs;
        return new Node(
                meta.name(),
                meta.mark(WellKnownLabel.ZONE).orElse(""),
                onePerFamily(ignored.prefixes(cidrs, "spec.podCIDRs")),
                addresses(),
                taints,
                meta.deleting());
    }

    /** The networks without those that repeat a family: it is not known which of the two the pods have. */
    private List<IpPrefix> onePerFamily(List<IpPrefix> networks) {
        List<IpPrefix> kept = new ArrayList<>(networks);
        for (IpFamily family : IpFamily.values()) {
            List<IpPrefix> same = networks.stream()
                    .filter(network -> network.family() == family)
                    .toList();
            if (same.size() > 1) {
                ignored.drop(
                        "spec.podCIDRs",
                        same.stream().map(IpPrefix::toString).collect(Collectors.joining(",")),
                        Node.POD_CIDRS_RULE);
                kept.removeAll(same);
            }
        }
        return kept;
    }

    private List<Node.Address> addresses() {
        List<Node.Address> ips = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            Address entry = addresses.get(i);
            if (entry.type.equals("InternalIP") || entry.type.equals("ExternalIP")) {
                ignored.ip(entry.address, "status.addresses", i)
                        .ifPresent(ip -> ips.add(new Node.Address(entry.type, ip)));
            }
        }
        return ips;
    }
}
