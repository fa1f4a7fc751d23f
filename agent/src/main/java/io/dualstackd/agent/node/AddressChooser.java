package io.dualstackd.agent.node;

import io.dualstackd.agent.api.Node;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.nodeaddr.CloudAddresses;
import io.dualstackd.nodeaddr.Detection;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.Host.Flag;
import io.dualstackd.nodeaddr.HostNames;
import io.dualstackd.nodeaddr.NodeAddress;
import io.dualstackd.nodeaddr.NodeAddressException;
import io.dualstackd.nodeaddr.NodeIp;
import io.dualstackd.nodeaddr.NodeIps;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses between the Node object and the host.
 *
 * <p>What somebody wrote on the Node object is taken as a cloud provider's list and ordered as {@code --node-ips} says. An address
 * given with {@code --node-ips} that the object does not have wins over the object. Without any address on the object the host is
 * looked at.
 */
public final class AddressChooser {
    private static final Set<Flag> UNUSABLE = EnumSet.of(Flag.TENTATIVE, Flag.DAD_FAILED, Flag.DEPRECATED);

    private AddressChooser() {}

    /** @param before what was chosen last */
    public static AddressChoice choose(
            NodeIps wanted, Optional<Node> object, Host host, HostNames names, AddressChoice before) {
        List<NodeAddress> provided = object.map(AddressChooser::provided).orElse(List.of());
        try {
            if (!provided.isEmpty() && provides(provided, wanted)) {
                return new AddressChoice.Made(CloudAddresses.order(provided, wanted, host), "the Node object");
            }
            if (before instanceof AddressChoice.Made made && staysWithoutUplink(made, host)) {
                return made;
            }
            return new AddressChoice.Made(Detection.detect(host, names, wanted), "the host");
        } catch (NodeAddressException e) {
            return new AddressChoice.None(e.getMessage(), e.passedOver());
        }
    }

    /** True when the object has addresses, so that neither host nor DNS are asked. */
    public static boolean knows(NodeIps wanted, Optional<Node> object) {
        List<NodeAddress> provided = object.map(AddressChooser::provided).orElse(List.of());
        return !provided.isEmpty() && provides(provided, wanted);
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
     * An uplink that goes down takes its default route along, and then every bridge looks as good as it. Until there is a default
     * route again, addresses that are still there are kept.
     */
    private static boolean staysWithoutUplink(AddressChoice.Made before, Host host) {
        return host.defaultRoutes().isEmpty()
                && !before.nodeIps().isEmpty()
                && before.nodeIps().stream()
                        .allMatch(ip -> host.addresses().stream()
                                .anyMatch(address -> address.ip().equals(ip)
                                        && address.flags().stream().noneMatch(UNUSABLE::contains)));
    }
}
