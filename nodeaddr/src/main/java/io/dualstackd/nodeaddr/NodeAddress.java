package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import java.util.Arrays;
import java.util.Optional;

/**
 * An entry of {@code Node.status.addresses}.
 *
 * @param text as its source wrote it; kept, because providers write IPv6 in many forms and a Node must not change without need
 */
public record NodeAddress(Type type, String text) {
    /** {@code NodeAddressType} of {@code core/v1}. */
    public enum Type {
        HOSTNAME("Hostname"),
        INTERNAL_IP("InternalIP"),
        EXTERNAL_IP("ExternalIP"),
        INTERNAL_DNS("InternalDNS"),
        EXTERNAL_DNS("ExternalDNS");

        private final String label;

        Type(String label) {
            this.label = label;
        }

        /** Returns the type that Kubernetes writes like this; empty when there is none. */
        public static Optional<Type> of(String label) {
            return Arrays.stream(values())
                    .filter(type -> type.label.equals(label))
                    .findFirst();
        }

        /** {@code InternalIP}, as Kubernetes writes it. */
        @Override
        public String toString() {
            return label;
        }
    }

    public static NodeAddress internal(Ip ip) {
        return new NodeAddress(Type.INTERNAL_IP, ip.toString());
    }

    public static NodeAddress hostname(String name) {
        return new NodeAddress(Type.HOSTNAME, name);
    }

    /** The address in the text; empty for other types, and for text that is not an address. */
    public Optional<Ip> ip() {
        return switch (type) {
            case INTERNAL_IP, EXTERNAL_IP -> LenientIp.read(text);
            case HOSTNAME, INTERNAL_DNS, EXTERNAL_DNS -> Optional.empty();
        };
    }

    /** {@code InternalIP 10.0.0.1}. */
    @Override
    public String toString() {
        return type + " " + text;
    }
}
