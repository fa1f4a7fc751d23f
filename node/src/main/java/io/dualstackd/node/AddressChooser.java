package io.dualstackd.node;

import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.node.AddressChoice.Source;
import io.dualstackd.nodeaddr.CloudAddresses;
import io.dualstackd.nodeaddr.Detection;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.Host.Flag;
import io.dualstackd.nodeaddr.HostNames;
import io.dualstackd.nodeaddr.NodeAddress;
import io.dualstackd.nodeaddr.NodeAddressException;
import io.dualstackd.nodeaddr.NodeAddresses;
import io.dualstackd.nodeaddr.NodeAddresses.Chosen;
import io.dualstackd.nodeaddr.NodeIp;
import io.dualstackd.nodeaddr.NodeIps;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Chooses this node's addresses from the Node object and the host.
 *
 * <p>Addresses on the Node object are treated as a cloud provider's list and ordered by {@code --node-ips}. An address given with
 * {@code --node-ips} that the object does not have takes precedence over the object. Without any address on the object, those of the host
 * are used. Without {@code --node-ips}, the order of the object is kept.
 */
public final class AddressChooser {
    private static final Set<Flag> UNUSABLE = EnumSet.of(Flag.TENTATIVE, Flag.DAD_FAILED, Flag.DEPRECATED);

    private AddressChooser() {}

    /**
     * @param given empty when the administrator has not configured node IPs
     * @param before the previous choice
     */
    public static AddressChoice choose(
            Optional<NodeIps> given, Optional<Node> object, Host host, HostNames names, PreviousChoice before) {
        List<NodeAddress> provided = object.map(AddressChooser::provided).orElse(List.of());
        NodeIps wanted = given.orElseGet(() -> inOrderOf(provided));
        try {
            if (!provided.isEmpty() && provides(provided, wanted)) {
                return new AddressChoice.Found(CloudAddresses.order(provided, wanted, host), Source.NODE_OBJECT);
            }
        } catch (NodeAddressException e) {
            return new AddressChoice.None(e.getMessage(), e.passedOver());
        }
        List<Chosen> kept = stillThere(wanted, host, before);
        try {
            NodeAddresses found = Detection.detect(host, names, wanted, before.uplinks());
            return new AddressChoice.Found(keeping(kept, found, wanted), Source.HOST);
        } catch (NodeAddressException e) {
            // An address that was given and is not there is an error, whatever the other family has.
            if (kept.isEmpty() || !wanted.elements().stream().allMatch(AddressChooser::isDetected)) {
                return new AddressChoice.None(e.getMessage(), e.passedOver());
            }
            Chosen hostname = new Chosen(NodeAddress.hostname(names.hostname()), "the host's name");
            NodeAddresses found = new NodeAddresses(List.of(hostname), e.passedOver(), List.of());
            return new AddressChoice.Found(keeping(kept, found, wanted), Source.HOST);
        }
    }

    /** Whether the object has addresses, so that neither host nor DNS are needed. */
    public static boolean knows(Optional<NodeIps> given, Optional<Node> object) {
        List<NodeAddress> provided = object.map(AddressChooser::provided).orElse(List.of());
        return !provided.isEmpty()
                && given.map(wanted -> provides(provided, wanted)).orElse(true);
    }

    private static NodeIps inOrderOf(List<NodeAddress> provided) {
        Optional<IpFamily> primary = Stream.of(NodeAddress.Type.INTERNAL_IP, NodeAddress.Type.EXTERNAL_IP)
                .flatMap(type -> provided.stream().filter(address -> address.type() == type))
                .flatMap(address -> address.ip().stream())
                .map(Ip::family)
                .findFirst();
        return primary.filter(IpFamily.IPV6::equals).isPresent()
                ? NodeIps.of(new NodeIp.Any(IpFamily.IPV6), new NodeIp.Any(IpFamily.IPV4))
                : NodeIps.DEFAULT;
    }

    private static List<NodeAddress> provided(Node object) {
        return object.addresses().stream()
                .flatMap(address -> NodeAddress.Type.of(address.type()).stream()
                        .map(type -> new NodeAddress(type, address.ip().toString())))
                .toList();
    }

    private static boolean provides(List<NodeAddress> provided, NodeIps wanted) {
        return wanted.elements().stream()
                .allMatch(element -> !(element instanceof NodeIp.Exact(Ip ip))
                        || provided.stream()
                                .anyMatch(address ->
                                        address.ip().filter(ip::equals).isPresent()));
    }

    /**
     * Returns the detected addresses that are still present, of families that have lost their default route. An uplink that goes down
     * removes its route, and then every bridge, or the uplink of the other family, is an equally good candidate; so these addresses are kept
     * until there is a default route again.
     */
    private static List<Chosen> stillThere(NodeIps wanted, Host host, PreviousChoice before) {
        if (!(before.choice() instanceof AddressChoice.Found(NodeAddresses addresses, Source source))
                || source != Source.HOST) {
            return List.of();
        }
        return addresses.chosen().stream()
                .filter(chosen -> chosen.address()
                        .ip()
                        .filter(ip ->
                                before.hasLostRoute(ip.family(), host) && isDetected(wanted, ip) && isThere(host, ip))
                        .isPresent())
                .map(chosen -> new Chosen(chosen.address(), whyKept(chosen, host)))
                .toList();
    }

    /** The reason for keeping an address whose original reason is no longer true. */
    private static String whyKept(Chosen chosen, Host host) {
        String where = host.addresses().stream()
                .filter(address ->
                        chosen.address().ip().filter(address.ip()::equals).isPresent())
                .flatMap(address -> host.link(address.link()).stream())
                .findFirst()
                .map(link -> link.up() ? "it is still on " + link.name() : link.name() + ", which has it, is down")
                .orElse("it is still there");
        String routes = host.defaultRoutes().isEmpty()
                ? "no default route"
                : "no " + chosen.address().ip().map(Ip::family).orElseThrow() + " default route";
        return "kept from before: " + where + ", and there is " + routes + " now";
    }

    private static boolean isDetected(NodeIp element) {
        return element instanceof NodeIp.Any || element instanceof NodeIp.Within;
    }

    /** Whether an address is one of those that the configuration leaves to detection. */
    private static boolean isDetected(NodeIps wanted, Ip ip) {
        return wanted.element(ip.family())
                .filter(element -> element instanceof NodeIp.Any
                        || (element instanceof NodeIp.Within(IpPrefix network) && network.contains(ip)))
                .isPresent();
    }

    /** The primary and the secondary address that a Node object has, as kubelet takes them from it. */
    public static List<Ip> ofObject(Node object, Host host) {
        List<NodeAddress> provided = provided(object);
        try {
            return provided.isEmpty()
                    ? List.of()
                    : CloudAddresses.order(provided, inOrderOf(provided), host).nodeIps();
        } catch (NodeAddressException e) {
            return List.of();
        }
    }

    private static boolean isThere(Host host, Ip ip) {
        return host.addresses().stream()
                .anyMatch(address ->
                        address.ip().equals(ip) && address.flags().stream().noneMatch(UNUSABLE::contains));
    }

    private static NodeAddresses keeping(List<Chosen> kept, NodeAddresses found, NodeIps wanted) {
        if (kept.isEmpty()) {
            return found;
        }
        List<Chosen> merged = new ArrayList<>();
        for (NodeIp element : wanted.elements()) {
            // Addresses found in any case have a reason of their own.
            of(element.family(), kept)
                    .map(chosen -> found.chosen().stream()
                            .filter(same -> same.address().equals(chosen.address()))
                            .findFirst()
                            .orElse(chosen))
                    .or(() -> of(element.family(), found.chosen()))
                    .ifPresent(merged::add);
        }
        found.chosen().stream()
                .filter(chosen -> chosen.address().ip().isEmpty())
                .forEach(merged::add);
        return new NodeAddresses(merged, found.passedOver(), found.warnings());
    }

    private static Optional<Chosen> of(IpFamily family, List<Chosen> among) {
        return among.stream()
                .filter(chosen -> chosen.address()
                        .ip()
                        .filter(ip -> ip.family() == family)
                        .isPresent())
                .findFirst();
    }
}
