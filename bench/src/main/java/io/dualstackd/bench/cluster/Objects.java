package io.dualstackd.bench.cluster;

import com.google.protobuf.CodedOutputStream;
import io.dualstackd.bench.measure.Nodes;
import io.dualstackd.netlink.ip.IpFamily;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Objects of a generated cluster in the protobuf encoding of API servers, about as large as real ones; the field numbers are those of
 * {@code generated.proto} of Kubernetes' API types.
 */
final class Objects {
    static final String NODE = "node-1";
    private static final byte[] MAGIC = "k8s\0".getBytes(StandardCharsets.US_ASCII);
    /** The {@code managedFields} of an object, which servers send along. */
    private static final byte[] MANAGED_FIELDS = new byte[420];

    private static final int ENDPOINTS = 10;

    private Objects() {}

    private interface Body {
        void write(CodedOutputStream out) throws IOException;
    }

    private static byte[] message(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            body.write(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] meta(String name, String namespace, long version, String... labels) {
        return message(out -> {
            out.writeString(1, name);
            out.writeString(3, namespace);
            out.writeString(5, "0d3a1c52-0000-4000-8000-" + String.format("%012d", version % 1_000_000));
            out.writeString(6, Long.toString(version));
            for (int i = 0; i < labels.length; i += 2) {
                String key = labels[i];
                String value = labels[i + 1];
                out.writeByteArray(11, message(entry -> {
                    entry.writeString(1, key);
                    entry.writeString(2, value);
                }));
            }
            out.writeByteArray(17, MANAGED_FIELDS);
        });
    }

    static byte[] service(int n, long version) {
        return message(out -> {
            out.writeByteArray(1, meta("service-" + n, "bench", version));
            out.writeByteArray(2, message(spec -> {
                spec.writeByteArray(1, message(port -> {
                    port.writeString(1, "http");
                    port.writeString(2, "TCP");
                    port.writeInt32(3, 80);
                    port.writeByteArray(4, message(target -> target.writeInt32(2, 8080)));
                }));
                spec.writeString(3, Nodes.serviceIp(IpFamily.IPV4, n).toString());
                spec.writeString(4, "ClusterIP");
                spec.writeString(7, "None");
                spec.writeString(17, "RequireDualStack");
                for (IpFamily family : IpFamily.values()) {
                    spec.writeString(18, Nodes.serviceIp(family, n).toString());
                    spec.writeString(19, family.toString());
                }
                spec.writeString(22, "Cluster");
            }));
        });
    }

    /** @param change determines which pod is the first endpoint */
    static byte[] slice(int n, IpFamily family, int change, long version) {
        String name = "service-" + n + "-" + family.toString().toLowerCase(Locale.ROOT);
        return message(out -> {
            out.writeByteArray(1, meta(name, "bench", version, "kubernetes.io/service-name", "service-" + n));
            for (int i = 0; i < ENDPOINTS; i++) {
                int pod = n * 128 + (i == 0 ? change % 100 + ENDPOINTS : i);
                out.writeByteArray(2, endpoint(family, pod));
            }
            out.writeByteArray(3, message(port -> {
                port.writeString(1, "http");
                port.writeString(2, "TCP");
                port.writeInt32(3, 8080);
            }));
            out.writeString(4, family.toString());
        });
    }

    private static byte[] endpoint(IpFamily family, int pod) {
        return message(out -> {
            out.writeString(1, Nodes.podIp(family, pod).toString());
            out.writeByteArray(2, message(conditions -> {
                conditions.writeBool(1, true);
                conditions.writeBool(2, true);
                conditions.writeBool(3, false);
            }));
            out.writeByteArray(4, message(target -> {
                target.writeString(1, "Pod");
                target.writeString(2, "bench");
                target.writeString(3, "pod-" + pod);
                target.writeString(4, "0d3a1c52-0000-4000-8000-000000000000");
            }));
            out.writeString(6, "node-2");
        });
    }

    static byte[] node(long version) {
        return message(out -> {
            out.writeByteArray(1, meta(NODE, "", version));
            out.writeByteArray(3, message(status -> {
                for (String ip : new String[] {"192.0.2.10", "2001:db8::10"}) {
                    status.writeByteArray(5, message(address -> {
                        address.writeString(1, "InternalIP");
                        address.writeString(2, ip);
                    }));
                }
            }));
        });
    }

    /** The object of a bookmark: nothing but a version. */
    static byte[] version(long version) {
        return message(out -> out.writeByteArray(1, message(meta -> meta.writeString(6, Long.toString(version)))));
    }

    /** The object of the bookmark that marks the end of the initial objects of a watch. */
    static byte[] initialEventsEnd(long version) {
        return message(out -> out.writeByteArray(1, message(meta -> {
            meta.writeString(6, Long.toString(version));
            meta.writeByteArray(12, message(entry -> {
                entry.writeString(1, "k8s.io/initial-events-end");
                entry.writeString(2, "true");
            }));
        })));
    }

    private static byte[] unknown(String apiVersion, String kind, byte[] object) {
        return message(out -> {
            out.writeByteArray(1, message(type -> {
                type.writeString(1, apiVersion);
                type.writeString(2, kind);
            }));
            out.writeByteArray(2, object);
            out.writeString(3, "");
            out.writeString(4, "");
        });
    }

    /** Returns a frame of a watch: its length, and the event. */
    static byte[] event(String type, String apiVersion, String kind, byte[] object) {
        byte[] inner = unknown(apiVersion, kind, object);
        byte[] wrapped = ByteBuffer.allocate(MAGIC.length + inner.length)
                .put(MAGIC)
                .put(inner)
                .array();
        byte[] event = message(out -> {
            out.writeString(1, type);
            out.writeByteArray(2, message(raw -> raw.writeByteArray(1, wrapped)));
        });
        return ByteBuffer.allocate(4 + event.length)
                .putInt(event.length)
                .put(event)
                .array();
    }
}
