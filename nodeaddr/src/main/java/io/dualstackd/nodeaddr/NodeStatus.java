package io.dualstackd.nodeaddr;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The address fields that kubelet writes to its own Node: {@code status.addresses} and the annotations for an external cloud provider.
 *
 * @param annotations only {@link #WANTED} and {@link LegacyNodeIp#ANNOTATION}, by their keys
 */
public record NodeStatus(List<NodeAddress> addresses, Map<String, String> annotations) {
    /**
     * The effective {@code --node-ips}, with addresses in place of interfaces. Its absence tells a provider that the kubelet is an older
     * one.
     */
    public static final String WANTED = "dualstackd.io/node-ips";

    /** A Node without addresses and annotations. */
    public static final NodeStatus NEW = new NodeStatus(List.of(), Map.of());

    public NodeStatus {
        addresses = List.copyOf(addresses);
        annotations = Map.copyOf(annotations);
    }

    /**
     * Computes the next status.
     *
     * <p>Without a provider the addresses are those of {@link Detection}. With one, the provider owns them: they are not changed, and set
     * only as long as there are none and the administrator gave some, so that the provider's own pods can start.
     *
     * @param given empty when the administrator gave no node IPs
     * @param externalCloud {@code --cloud-provider=external}
     * @throws NodeAddressException as {@link Detection#detect}; the Node must then stay unchanged
     */
    public NodeStatus next(Optional<NodeIps> given, boolean externalCloud, HostNames names, Host host)
            throws NodeAddressException {
        NodeIps wanted = given.orElse(NodeIps.DEFAULT);
        Detection.validate(host, wanted);
        if (!externalCloud) {
            return new NodeStatus(Detection.detect(host, names, wanted).addresses(), Map.of());
        }
        Map<String, String> notes = new TreeMap<>();
        Detection.withoutInterfaces(host, wanted).ifPresent(ips -> notes.put(WANTED, ips.toString()));
        given.flatMap(LegacyNodeIp::annotation).ifPresent(ips -> notes.put(LegacyNodeIp.ANNOTATION, ips));
        return new NodeStatus(bootstrap(given, names, host), notes);
    }

    private List<NodeAddress> bootstrap(Optional<NodeIps> given, HostNames names, Host host)
            throws NodeAddressException {
        if (!addresses.isEmpty()) {
            return addresses;
        }
        if (given.isEmpty()) {
            return List.of(NodeAddress.hostname(names.hostname()));
        }
        return Detection.detect(host, names, given.get()).addresses();
    }
}
