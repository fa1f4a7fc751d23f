package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.tree.Field;
import java.io.IOException;
import java.util.List;

/** Reads {@code networking.k8s.io/v1 ServiceCIDR}. */
public final class RawServiceCidr extends RawObject<ServiceCidr> {
    private List<String> cidrs = List.of();

    @Override
    public void proto(ProtoReader in) throws IOException {
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.OBJECT_METADATA -> meta.proto(in);
                case ProtoTag.SERVICE_CIDR_SPEC -> spec(in);
                default -> in.skip();
            }
        }
    }

    private void spec(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            if (in.tag() == ProtoTag.SERVICE_CIDR_SPEC_CIDRS) {
                cidrs = Texts.plus(cidrs, in.text());
            } else {
                in.skip();
            }
        }
        in.leave(outer);
    }

    @Override
    public void json(Field object) {
        object.object("spec").ifPresent(spec -> cidrs = Texts.of(spec, "cidrs"));
    }

    @Override
    public ServiceCidr build(IgnoredValues ignoredValues) {
        return new ServiceCidr(meta.name(), ignoredValues.prefixes(cidrs, "spec.cidrs"));
    }
}
