package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.tree.Field;
import java.io.IOException;
import java.util.List;

/** Reads the addresses of {@code v1/Pod}. */
final class RawPod extends RawObject<PodAddresses> {
    private String node = "";
    private boolean hostNetwork;
    private String phase = "";
    private String podIp = "";
    private String hostIp = "";
    private List<String> podIps = List.of();
    private List<String> hostIps = List.of();

    @Override
    public void proto(ProtoReader in) throws IOException {
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.OBJECT_METADATA -> meta.proto(in);
                case ProtoTag.POD_SPEC -> spec(in);
                case ProtoTag.POD_STATUS -> status(in);
                default -> in.skip();
            }
        }
    }

    private void spec(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.POD_SPEC_NODE_NAME -> node = in.name();
                case ProtoTag.POD_SPEC_HOST_NETWORK -> hostNetwork = in.bool();
                default -> in.skip();
            }
        }
        in.leave(outer);
    }

    private void status(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.POD_STATUS_PHASE -> phase = in.name();
                case ProtoTag.POD_STATUS_POD_IP -> podIp = in.text();
                case ProtoTag.POD_STATUS_HOST_IP -> hostIp = in.text();
                case ProtoTag.POD_STATUS_POD_IPS -> podIps = Texts.plus(podIps, ip(in, ProtoTag.POD_IP_IP));
                case ProtoTag.POD_STATUS_HOST_IPS -> hostIps = Texts.plus(hostIps, ip(in, ProtoTag.HOST_IP_IP));
                default -> in.skip();
            }
        }
        in.leave(outer);
    }

    private static String ip(ProtoReader in, int tag) throws IOException {
        int outer = in.enter();
        String ip = "";
        while (in.next()) {
            if (in.tag() == tag) {
                ip = in.text();
            } else {
                in.skip();
            }
        }
        in.leave(outer);
        return ip;
    }

    @Override
    public void json(Field object) {
        object.object("spec").ifPresent(spec -> {
            node = spec.textOrEmpty("nodeName");
            hostNetwork = spec.bool("hostNetwork").orElse(false);
        });
        object.object("status").ifPresent(status -> {
            phase = status.textOrEmpty("phase");
            podIp = status.textOrEmpty("podIP");
            hostIp = status.textOrEmpty("hostIP");
            podIps = ips(status, "podIPs");
            hostIps = ips(status, "hostIPs");
        });
    }

    private static List<String> ips(Field status, String list) {
        return status.objects(list).stream().map(ip -> ip.textOrEmpty("ip")).toList();
    }

    @Override
    public PodAddresses build(IgnoredValues ignoredValues) {
        return new PodAddresses(
                meta.namespace(),
                meta.name(),
                meta.uid(),
                node,
                hostNetwork,
                phase,
                meta.deleting(),
                Texts.orSingle(podIps, podIp),
                Texts.orSingle(hostIps, hostIp));
    }
}
