package io.dualstackd.node.report;

import io.dualstackd.kubeapi.client.WriteRequest;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.node.AddressChoice;
import io.dualstackd.node.report.NodeObject.Address;
import io.dualstackd.nodeaddr.BadNodeIpsException;
import io.dualstackd.nodeaddr.CloudAddresses;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.NodeAddress;
import io.dualstackd.nodeaddr.NodeAddressException;
import io.dualstackd.nodeaddr.NodeIp;
import io.dualstackd.nodeaddr.NodeIps;
import io.dualstackd.nodeaddr.NodeStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The changes to write to the own Node object ({@code --manage-node-addresses}).
 *
 * <p>With {@link AddressManagement#ORDER}, and for a node that a cloud provider has initialized ({@code spec.providerID}, and no taint any more), the addresses
 * stay those of the provider; they are only reordered, and none is removed: the provider would add it again. With
 * {@link AddressManagement#FILTER} those of a family that {@code --node-ips} does not mention are removed all the same; where the provider
 * adds them again and again, {@link WriteGuard} ends the contest. With {@link AddressManagement#PROVIDE} any other node gets the addresses of this host, and then is ready for use: the taint that makes it wait
 * for the provider is removed.
 *
 * @param addresses the desired addresses; unchanged when they are not known
 * @param requests requests to send in this order; if one is refused, the next is sent all the same
 * @param problem why something could not be done
 */
public record NodeUpdate(List<Address> addresses, List<WriteRequest> requests, Optional<String> problem) {
    public NodeUpdate {
        addresses = List.copyOf(addresses);
        requests = List.copyOf(requests);
    }

    /**
     * @param duty whether dualstackd acts as the provider
     * @param given {@code --node-ips}; empty when the administrator has not configured it
     * @param chosen addresses of this host, chosen without the Node object
     * @param host where the addresses of interfaces are looked up
     * @param hostname for a node that has no name among its addresses
     */
    public static NodeUpdate of(
            NodeObject node,
            AddressManagement duty,
            Optional<NodeIps> given,
            AddressChoice chosen,
            Host host,
            String hostname) {
        List<Address> wanted = node.addresses();
        Optional<String> problem = Optional.empty();
        boolean known = false;
        if (node.isProvided() || duty != AddressManagement.PROVIDE) {
            if (given.isPresent() && !node.addresses().isEmpty()) {
                try {
                    wanted = ordered(
                            node.addresses(), present(given.get(), host), host, duty == AddressManagement.FILTER);
                } catch (NodeAddressException e) {
                    problem = Optional.of(e.getMessage());
                }
            }
        } else {
            switch (chosen) {
                case AddressChoice.Found found -> {
                    wanted = detected(node.addresses(), found, hostname);
                    known = true;
                }
                case AddressChoice.None none -> {
                    // Before the first choice this is not an error: a wakeup follows.
                    problem = none.equals(AddressChoice.None.YET) ? Optional.empty() : Optional.of(none.reason());
                }
            }
        }
        List<WriteRequest> requests = new ArrayList<>();
        if (!wanted.equals(node.addresses())) {
            requests.add(status(node, wanted));
        }
        // Without its addresses in the object, the node is not ready for use.
        metadata(node, given, known && requests.isEmpty()).ifPresent(requests::add);
        return new NodeUpdate(wanted, requests, problem);
    }

    /**
     * Moves the wanted addresses to the front; the others stay behind. Unknown types stay last.
     *
     * @param filtered leave out the IP addresses that are not wanted
     */
    private static List<Address> ordered(List<Address> provided, NodeIps wanted, Host host, boolean filtered)
            throws NodeAddressException {
        List<NodeAddress> known = provided.stream()
                .flatMap(entry ->
                        NodeAddress.Type.of(entry.type()).stream().map(type -> new NodeAddress(type, entry.address())))
                .toList();
        List<Address> ordered = new ArrayList<>();
        CloudAddresses.order(known, wanted, host)
                .addresses()
                .forEach(address -> ordered.add(new Address(address.type().toString(), address.text())));
        List<Address> rest = new ArrayList<>(provided);
        rest.removeIf(entry -> ordered.contains(entry) || (filtered && isExcluded(entry, wanted)));
        ordered.addAll(rest);
        // Where only names would move, the list is right: a provider that compares whole lists would write it back.
        return ips(ordered).equals(ips(provided)) ? provided : ordered;
    }

    /**
     * An interface that has no address of its family at the moment stands for the family: addresses of IPv6 are gone for seconds whenever a
     * link goes down and up, and that must not change which family is primary. Link-local ones are back before the others.
     */
    private static NodeIps present(NodeIps given, Host host) {
        return new NodeIps(given.elements().stream()
                .map(element -> element instanceof NodeIp.OnInterface interfaces && !hasAddress(interfaces, host)
                        ? new NodeIp.Any(element.family())
                        : element)
                .toList());
    }

    private static boolean hasAddress(NodeIp.OnInterface element, Host host) {
        return host.link(element.name()).stream()
                .anyMatch(link -> host.addresses().stream()
                        .anyMatch(address -> address.link() == link.index()
                                && address.ip().family() == element.family()
                                && !address.ip().isLinkLocal()));
    }

    /** Whether it is an IP address of a family that is not wanted. */
    private static boolean isExcluded(Address entry, NodeIps wanted) {
        return NodeAddress.Type.of(entry.type())
                .flatMap(type -> new NodeAddress(type, entry.address()).ip())
                .filter(ip -> !wanted.mentions(ip.family()))
                .isPresent();
    }

    private static List<Address> ips(List<Address> addresses) {
        return addresses.stream().filter(NodeUpdate::isIp).toList();
    }

    /** Returns the detected IP addresses, followed by the names in the object. */
    private static List<Address> detected(List<Address> before, AddressChoice.Found found, String hostname) {
        List<Address> addresses = new ArrayList<>();
        for (NodeAddress address : found.addresses().addresses()) {
            if (address.ip().isPresent()) {
                addresses.add(new Address(address.type().toString(), address.text()));
            }
        }
        before.stream().filter(entry -> !isIp(entry)).forEach(addresses::add);
        if (addresses.stream().noneMatch(entry -> entry.type().equals("Hostname"))) {
            addresses.add(new Address("Hostname", hostname));
        }
        return addresses;
    }

    private static boolean isIp(Address entry) {
        return entry.type().equals("InternalIP") || entry.type().equals("ExternalIP");
    }

    /**
     * Returns the request for the status. The list's merge key is the type, which is not unique, and a strategic merge combines entries of
     * one type even with a replace directive; so this is a plain merge patch, which replaces the list.
     */
    private static WriteRequest status(NodeObject node, List<Address> addresses) {
        List<Tree.Mapping> entries = addresses.stream()
                .map(entry -> Tree.object("type", entry.type()).with("address", entry.address()))
                .toList();
        return WriteRequest.merge(
                "/api/v1/nodes/" + node.name() + "/status",
                Tree.object("metadata", Tree.object("resourceVersion", node.resourceVersion()))
                        .with("status", Tree.object("addresses", entries)));
    }

    /** Returns the request for annotations and taint; both belong to the object itself, not to its status. */
    private static Optional<WriteRequest> metadata(NodeObject node, Optional<NodeIps> given, boolean initialized) {
        Tree.Mapping patch = Tree.object();
        Tree.Mapping metadata = Tree.object();
        Tree.Mapping annotations = annotations(node, given);
        if (!annotations.entries().isEmpty()) {
            metadata = metadata.with("annotations", annotations);
        }
        List<Tree> taints = node.taints().stream()
                .filter(taint -> !NodeObject.isUninitialized(taint))
                .toList();
        if (initialized && taints.size() < node.taints().size()) {
            // The list has no merge key: it is written as a whole, provided that the object has not changed meanwhile.
            metadata = metadata.with("resourceVersion", node.resourceVersion());
            patch = patch.with("spec", Tree.object("taints", taints));
        }
        if (metadata.entries().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(WriteRequest.patch("/api/v1/nodes/" + node.name(), patch.with("metadata", metadata)));
    }

    /**
     * Returns the annotations that change: {@code --node-ips} under our own name, and under kubelet's for providers, which know addresses
     * only. What is under kubelet's is removed only if it is what we wrote, which our own annotation tells.
     */
    private static Tree.Mapping annotations(NodeObject node, Optional<NodeIps> given) {
        Tree.Mapping annotations = Tree.object();
        Optional<String> own = given.map(NodeIps::toString);
        if (!own.equals(node.nodeIps())) {
            annotations = annotations.with(NodeStatus.WANTED, orNull(own));
        }
        Optional<String> provided = given.flatMap(NodeUpdate::addressesOnly);
        boolean writtenHere = node.nodeIps()
                .flatMap(NodeUpdate::parsed)
                .flatMap(NodeUpdate::addressesOnly)
                .filter(text -> Optional.of(text).equals(node.providedNodeIp()))
                .isPresent();
        if (!provided.equals(node.providedNodeIp()) && (provided.isPresent() || writtenHere)) {
            annotations = annotations.with(NodeObject.PROVIDED_NODE_IP, orNull(provided));
        }
        return annotations;
    }

    /** The value, or the null that removes it. */
    private static Tree orNull(Optional<String> text) {
        return text.<Tree>map(value -> new Tree.Scalar(value, Tree.Type.TEXT, 0))
                .orElseGet(() -> new Tree.Scalar("null", Tree.Type.NULL, 0));
    }

    private static Optional<NodeIps> parsed(String text) {
        try {
            return Optional.of(NodeIps.parse(text));
        } catch (BadNodeIpsException e) {
            return Optional.empty();
        }
    }

    /** Returns the elements if all of them are addresses. */
    private static Optional<String> addressesOnly(NodeIps given) {
        List<String> ips = new ArrayList<>();
        for (NodeIp element : given.elements()) {
            if (element instanceof NodeIp.Exact(Ip ip)) {
                ips.add(ip.toString());
            }
        }
        return ips.size() == given.elements().size() ? Optional.of(String.join(",", ips)) : Optional.empty();
    }
}
