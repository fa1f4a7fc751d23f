package io.dualstackd.kubeapi.wire;

import com.google.protobuf.CodedOutputStream;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Endpoints;
import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.objects.WrittenService;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Writes our records as an API server does, in Kubernetes' protobuf encoding. Field numbers are of the API's generated.proto files. */
public final class ProtoWriting {
    private ProtoWriting() {}

    /** A message as it grows. */
    static final class Message {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

        Message text(int field, String value) {
            return bytes(field, value.getBytes(StandardCharsets.UTF_8));
        }

        Message bytes(int field, byte[] value) {
            try {
                out.writeByteArray(field, value);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return this;
        }

        Message number(int field, long value) {
            try {
                out.writeInt64(field, value);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return this;
        }

        Message message(int field, Message value) {
            return bytes(field, value.done());
        }

        byte[] done() {
            try {
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toByteArray();
        }
    }

    /** The whole answer to a list. */
    public static byte[] list(
            ObjectKey.Kind kind, List<byte[]> items, String resourceVersion, Optional<String> continueToken) {
        Message meta = new Message().text(2, resourceVersion);
        continueToken.ifPresent(token -> meta.text(3, token));
        Message list = new Message().message(1, meta);
        items.forEach(item -> list.bytes(2, item));
        return unknown(kind.apiVersion(), kind + "List", list.done());
    }

    /** One frame of a watch. */
    public static byte[] event(String type, ObjectKey.Kind kind, byte[] object) {
        return frame(type, unknown(kind.apiVersion(), kind.toString(), object));
    }

    /** The frame of a watch's error. */
    public static byte[] error(ApiStatus status) {
        return frame("ERROR", status(status));
    }

    private static byte[] frame(String type, byte[] object) {
        byte[] event = new Message()
                .text(1, type)
                .message(2, new Message().bytes(1, object))
                .done();
        return ByteBuffer.allocate(4 + event.length)
                .putInt(event.length)
                .put(event)
                .array();
    }

    /** An object that has nothing but a version. */
    public static byte[] bookmark(ObjectKey.Kind kind, String resourceVersion, boolean initialEventsEnd) {
        Message meta = new Message().text(6, resourceVersion);
        if (initialEventsEnd) {
            meta.message(12, new Message().text(1, "k8s.io/initial-events-end").text(2, "true"));
        }
        return event("BOOKMARK", kind, new Message().message(1, meta).done());
    }

    /** The whole answer that is an error. */
    public static byte[] status(ApiStatus status) {
        Message message = new Message()
                .text(2, "Failure")
                .text(3, status.message())
                .text(4, status.reason())
                .number(6, status.code());
        status.retryAfterSeconds().ifPresent(seconds -> message.message(5, new Message().number(5, seconds)));
        return unknown("v1", "Status", message.done());
    }

    private static byte[] unknown(String apiVersion, String kind, byte[] raw) {
        byte[] message = new Message()
                .message(1, new Message().text(1, apiVersion).text(2, kind))
                .bytes(2, raw)
                .done();
        return ByteBuffer.allocate(4 + message.length)
                .put(new byte[] {'k', '8', 's', 0})
                .put(message)
                .array();
    }

    /** One object, without its envelope. */
    public static byte[] object(ApiObject object, String resourceVersion) {
        return switch (object) {
            case Service service -> service(service, resourceVersion);
            case EndpointSlice slice -> slice(slice, resourceVersion);
            case Node node -> node(node, resourceVersion);
            case ServiceCidr cidr -> {
                Message spec = new Message();
                cidr.cidrs().forEach(network -> spec.text(1, network.toString()));
                yield new Message()
                        .message(1, meta(cidr.key(), resourceVersion))
                        .message(2, spec)
                        .done();
            }
            case WrittenService ignored -> throw new IllegalArgumentException("not of a server");
            case Endpoints ignored -> throw new IllegalArgumentException("not read");
            case IpAddress ignored -> throw new IllegalArgumentException("not read");
        };
    }

    private static Message meta(ObjectKey key, String resourceVersion) {
        Message meta = new Message().text(1, key.name());
        if (!key.namespace().isEmpty()) {
            meta.text(3, key.namespace());
        }
        return meta.text(5, "00000000-0000-0000-0000-000000000000").text(6, resourceVersion);
    }

    private static Message entry(String key, String value) {
        return new Message().text(1, key).text(2, value);
    }

    private static byte[] service(Service service, String resourceVersion) {
        Message spec = new Message();
        service.selector()
                .ifPresent(selector ->
                        selector.labels().forEach((label, value) -> spec.message(2, entry(label, value))));
        for (Service.Port port : service.ports()) {
            Message written = new Message()
                    .text(1, port.name())
                    .text(2, port.protocol().toString().toUpperCase(Locale.ROOT))
                    .number(3, port.port());
            if (port.nodePort() != 0) {
                written.number(5, port.nodePort());
            }
            spec.message(1, written);
        }
        switch (service.clusterIp()) {
            case Service.ClusterIp.Address(var ip) -> spec.text(3, ip.toString());
            case Service.ClusterIp.None() -> spec.text(3, "None");
            case Service.ClusterIp.Unset() -> {}
        }
        spec.text(4, service.type().toString());
        if (service.sessionAffinity() instanceof Service.SessionAffinity.ClientIp(var timeout)) {
            spec.text(7, "ClientIP");
            spec.message(14, new Message().message(1, new Message().number(1, timeout.toSeconds())));
        } else {
            spec.text(7, "None");
        }
        if (service.clusterIps().size() == 2) {
            spec.text(17, "RequireDualStack");
        }
        service.externalIps().forEach(ip -> spec.text(5, ip.toString()));
        service.loadBalancerSourceRanges().forEach(range -> spec.text(9, range.toString()));
        if (service.externalTrafficPolicy() != Service.Policy.CLUSTER) {
            spec.text(11, service.externalTrafficPolicy().toString());
        }
        if (service.healthCheckNodePort() != 0) {
            spec.number(12, service.healthCheckNodePort());
        }
        service.clusterIps().forEach(ip -> spec.text(18, ip.toString()));
        service.ipFamilies().forEach(family -> spec.text(19, family.toString()));
        spec.text(22, service.internalTrafficPolicy().toString());
        Message balancer = new Message();
        service.ingress()
                .forEach(each -> balancer.message(
                        1,
                        new Message()
                                .text(1, each.ip().toString())
                                .text(3, each.mode().toString())));
        return new Message()
                .message(1, meta(service.key(), resourceVersion))
                .message(2, spec)
                .message(3, service.ingress().isEmpty() ? new Message() : new Message().message(1, balancer))
                .done();
    }

    private static byte[] slice(EndpointSlice slice, String resourceVersion) {
        Message meta = meta(slice.key(), resourceVersion);
        slice.service().ifPresent(name -> meta.message(11, entry("kubernetes.io/service-name", name)));
        Message message = new Message().message(1, meta);
        for (EndpointSlice.Endpoint endpoint : slice.endpoints()) {
            Message conditions = new Message();
            endpoint.conditions().ready().ifPresent(ready -> conditions.number(1, ready ? 1 : 0));
            endpoint.conditions().serving().ifPresent(serving -> conditions.number(2, serving ? 1 : 0));
            endpoint.conditions().terminating().ifPresent(terminating -> conditions.number(3, terminating ? 1 : 0));
            Message written =
                    new Message().text(1, endpoint.address().toString()).message(2, conditions);
            if (!endpoint.nodeName().isEmpty()) {
                written.text(6, endpoint.nodeName());
            }
            message.message(2, written);
        }
        for (EndpointSlice.Port port : slice.ports()) {
            Message written = new Message();
            port.name().ifPresent(name -> written.text(1, name));
            written.text(2, port.protocol().toString().toUpperCase(Locale.ROOT));
            port.port().ifPresent(number -> written.number(3, number));
            message.message(3, written);
        }
        return message.text(4, slice.addressType().toString()).done();
    }

    private static byte[] node(Node node, String resourceVersion) {
        Message meta = meta(node.key(), resourceVersion);
        if (!node.zone().isEmpty()) {
            meta.message(11, entry("topology.kubernetes.io/zone", node.zone()));
        }
        Message spec = new Message();
        node.podCidrs().forEach(cidr -> spec.text(7, cidr.toString()));
        node.taints().forEach(key -> spec.message(5, new Message().text(1, key).text(3, "NoSchedule")));
        Message status = new Message();
        node.addresses()
                .forEach(address -> status.message(
                        5,
                        new Message()
                                .text(1, address.type())
                                .text(2, address.ip().toString())));
        return new Message()
                .message(1, meta)
                .message(2, spec)
                .message(3, status)
                .done();
    }
}
