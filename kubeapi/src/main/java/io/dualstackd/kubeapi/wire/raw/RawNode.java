package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.tree.Field;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code v1/Node}. */
public final class RawNode extends RawObject<Node> {
    /** An entry of {@code status.addresses}. */
    private record Address(String type, String address) {}

    private String podCidr = "";
    private List<String> podCidrs = List.of();
    private final List<String> taints = new ArrayList<>();
    private final List<Address> addresses = new ArrayList<>();

    @Override
    public void proto(ProtoReader in) throws IOException {
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.OBJECT_METADATA -> meta.proto(in);
                case ProtoTag.NODE_SPEC -> spec(in);
                case ProtoTag.NODE_STATUS -> status(in);
                default -> in.skip();
            }
        }
    }

    private void spec(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.NODE_SPEC_POD_CIDR -> podCidr = in.text();
                case ProtoTag.NODE_SPEC_POD_CIDRS -> podCidrs = Texts.plus(podCidrs, in.text());
                case ProtoTag.NODE_SPEC_TAINTS -> taint(in);
                default -> in.skip();
            }
        }
        in.leave(outer);
    }

    private void taint(ProtoReader in) throws IOException {
        int outer = in.enter();
        String key = "";
        while (in.next()) {
            if (in.tag() == ProtoTag.TAINT_KEY) {
                key = in.name();
            } else {
                in.skip();
            }
        }
        in.leave(outer);
        taints.add(key);
    }

    private void status(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            if (in.tag() == ProtoTag.NODE_STATUS_ADDRESSES) {
                address(in);
            } else {
                in.skip();
            }
        }
        in.leave(outer);
    }

    private void address(ProtoReader in) throws IOException {
        int outer = in.enter();
        String type = "";
        String address = "";
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.NODE_ADDRESS_TYPE -> type = in.name();
                case ProtoTag.NODE_ADDRESS_ADDRESS -> address = in.text();
                default -> in.skip();
            }
        }
        in.leave(outer);
        addresses.add(new Address(type, address));
    }

    @Override
    public void json(Field object) {
        object.object("spec").ifPresent(spec -> {
            podCidr = spec.textOrEmpty("podCIDR");
            podCidrs = Texts.of(spec, "podCIDRs");
            spec.objects("taints").forEach(taint -> taints.add(taint.textOrEmpty("key")));
        });
        object.object("status")
                .ifPresent(status -> status.objects("addresses")
                        .forEach(entry ->
                                addresses.add(new Address(entry.textOrEmpty("type"), entry.textOrEmpty("address")))));
    }

    @Override
    public Node build(IgnoredValues ignoredValues) {
        return new Node(
                meta.name(),
                meta.mark(WellKnownLabel.ZONE).orElse(""),
                ignoredValues.prefixes(Texts.orSingle(podCidrs, podCidr), "spec.podCIDRs"),
                addresses(ignoredValues),
                taints,
                meta.deleting());
    }

    private List<Node.Address> addresses(IgnoredValues ignoredValues) {
        List<Node.Address> ips = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            Address entry = addresses.get(i);
            if (entry.type.equals("InternalIP") || entry.type.equals("ExternalIP")) {
                ignoredValues
                        .ip(entry.address, "status.addresses", i)
                        .ifPresent(ip -> ips.add(new Node.Address(entry.type, ip)));
            }
        }
        return ips;
    }
}
