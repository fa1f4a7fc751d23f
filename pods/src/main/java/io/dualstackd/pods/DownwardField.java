package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A field of a pod's status that a container can get as an environment variable ({@code valueFrom.fieldRef}). */
public enum DownwardField {
    POD_IP("status.podIP"),
    POD_IPS("status.podIPs"),
    HOST_IP("status.hostIP"),
    HOST_IPS("status.hostIPs");

    private final String path;

    DownwardField(String path) {
        this.path = path;
    }

    /** Returns the field with this path; empty for paths of other fields. */
    public static Optional<DownwardField> of(String path) {
        return Stream.of(values()).filter(field -> field.path.equals(path)).findFirst();
    }

    /**
     * @param podIps as {@link PodIps} orders them
     * @param hostIps the node's primary and secondary address
     * @return empty when the value is not known yet: a container that refers to the field cannot be created now
     */
    public Optional<String> value(List<Ip> podIps, List<Ip> hostIps) {
        return switch (this) {
            case POD_IP -> first(podIps);
            case POD_IPS -> all(podIps);
            case HOST_IP -> first(hostIps);
            case HOST_IPS -> all(hostIps);
        };
    }

    private static Optional<String> first(List<Ip> ips) {
        return ips.stream().findFirst().map(Ip::toString);
    }

    private static Optional<String> all(List<Ip> ips) {
        return Optional.of(ips.stream().map(Ip::toString).collect(Collectors.joining(",")))
                .filter(text -> !text.isEmpty());
    }

    /** The path in {@code fieldPath}: {@code status.podIPs}. */
    @Override
    public String toString() {
        return path;
    }
}
