package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import java.io.IOException;
import java.util.List;

/** Reads {@code networking.k8s.io/v1 ServiceCIDR}. */
final class RawServiceCidr extends RawObject {
    private static final Message OBJECT = Message.of("ServiceCIDR", "message metadata = 1, message spec = 2");
    private static final Message SPEC = Message.of("ServiceCIDRSpec", "texts cidrs = 1");

    private List<String> cidrs = List.of();

    RawServiceCidr() {
        super(ObjectKey.Kind.SERVICE_CIDR, OBJECT);
    }

    @Override
    void part(FieldReader in) throws IOException {
        in.enter(SPEC);
        while (in.next()) {
            cidrs = plus(cidrs, in.text());
        }
    }

    @Override
    public ServiceCidr build() {
        return new ServiceCidr(meta.name(), ignored.prefixes(cidrs, "spec.cidrs"));
    }
}
