package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.nodeaddr.NodeAddresses.Chosen;
import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ordering of KEP-1664 for one list; numbered comments are its steps 2 to 7. Open points: ADR "node addresses". */
final class CloudOrder {
    private final List<NodeAddress> provided;
    private final NodeIps wanted;
    private final Host host;
    private final List<PassedOver> passedOver = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    CloudOrder(List<NodeAddress> provided, NodeIps wanted, Host host) {
        this.provided = List.copyOf(provided);
        this.wanted = wanted;
        this.host = host;
    }

    NodeAddresses result() throws NodeAddressException {
        // 2. Addresses of a family that is not wanted are removed.
        List<NodeAddress> list = provided.stream().filter(this::stays).toList();
        // 4 before 3, because its message is more specific.
        for (NodeIp element : wanted.elements()) {
            mustBePossible(element, list);
        }
        // 3.
        if (NodeAddresses.nodeIps(list).isEmpty()) {
            throw refused("the cloud provider has no such address for this node");
        }
        List<NodeIp> reachable = reachable(list);
        // 5 and 6.
        List<NodeAddress> ordered = isCompatible(list, reachable) ? list : moved(list, reachable);
        // 7.
        return explained(ordered, reachable);
    }

    private boolean stays(NodeAddress address) {
        Optional<String> objection = address.ip().flatMap(this::objection);
        objection.ifPresent(why -> passedOver.add(new PassedOver(address.toString(), why)));
        return objection.isEmpty();
    }

    /** A network or interface without any address is treated as not given: an address elsewhere was not requested. */
    private Optional<String> objection(Ip ip) {
        Optional<NodeIp> element = wanted.element(ip.family());
        if (element.isEmpty()) {
            return Optional.of(wanted + " leaves no room for " + ip.family());
        }
        boolean any = element.get().isRequired()
                || candidates(provided, element.get()).findAny().isPresent();
        return any ? Optional.empty() : Optional.of("no address satisfies " + element.get());
    }

    private void mustBePossible(NodeIp element, List<NodeAddress> list) throws NodeAddressException {
        List<NodeAddress> satisfying = candidates(list, element).toList();
        if (satisfying.isEmpty()) {
            if (element.isRequired()) {
                throw refused("the cloud provider does not have " + element + " for this node");
            }
            return;
        }
        Optional<NodeAddress> winner = list.stream()
                .filter(address -> address.type() == NodeAddress.Type.INTERNAL_IP && isOf(element.family(), address))
                .findFirst();
        if (winner.isPresent() && satisfying.stream().noneMatch(address -> isOfType(winner.get(), address))) {
            throw refused(element + " means an ExternalIP, and while there is an InternalIP of its family, "
                    + winner.get().text() + ", that one is the node's");
        }
    }

    private static boolean isOfType(NodeAddress one, NodeAddress other) {
        return one.type() == other.type();
    }

    /**
     * Returns the wanted order as far as it can be satisfied: an InternalIP of the second family precedes every ExternalIP of the first
     * one. That is an error only if an address was given explicitly.
     */
    private List<NodeIp> reachable(List<NodeAddress> list) throws NodeAddressException {
        Optional<NodeIp> second = wanted.second();
        if (second.isEmpty() || candidates(list, wanted.first()).findAny().isEmpty()) {
            return wanted.elements();
        }
        boolean firstIsInternal = hasInternal(list, wanted.first().family());
        boolean secondIsInternal = hasInternal(list, second.get().family());
        if (firstIsInternal || !secondIsInternal) {
            return wanted.elements();
        }
        String why = second.get().family() + " has an InternalIP and "
                + wanted.first().family() + " has ExternalIPs only, so "
                + second.get().family() + " is primary whatever the order";
        if (wanted.first().isRequired()) {
            throw refused(wanted.first() + " cannot be primary: " + why);
        }
        warnings.add("Node IPs \"" + wanted + "\" cannot be had in this order: " + why + ".");
        return wanted.elements().reversed();
    }

    private static boolean hasInternal(List<NodeAddress> list, IpFamily family) {
        return list.stream()
                .anyMatch(address -> address.type() == NodeAddress.Type.INTERNAL_IP && isOf(family, address));
    }

    private boolean isCompatible(List<NodeAddress> list, List<NodeIp> elements) {
        List<NodeIp> satisfiable = elements.stream()
                .filter(element -> candidates(list, element).findAny().isPresent())
                .toList();
        List<Ip> nodeIps = NodeAddresses.nodeIps(list);
        for (int i = 0; i < satisfiable.size(); i++) {
            if (i >= nodeIps.size() || !satisfies(satisfiable.get(i)).test(nodeIps.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Moves one entry for each element to the front; InternalIPs are searched first, because otherwise the move would have no effect. */
    private List<NodeAddress> moved(List<NodeAddress> list, List<NodeIp> elements) {
        List<NodeAddress> rest = new ArrayList<>(list);
        List<NodeAddress> front = new ArrayList<>();
        for (NodeIp element : elements) {
            candidates(list, element).findFirst().ifPresent(address -> {
                front.add(address);
                rest.remove(address);
            });
        }
        front.addAll(rest);
        return front;
    }

    /** Returns the entries that satisfy the element, InternalIPs first. */
    private Stream<NodeAddress> candidates(List<NodeAddress> list, NodeIp element) {
        return Stream.of(NodeAddress.Type.INTERNAL_IP, NodeAddress.Type.EXTERNAL_IP)
                .flatMap(type -> list.stream()
                        .filter(address -> address.type() == type)
                        .filter(address ->
                                address.ip().filter(satisfies(element)).isPresent()));
    }

    private Predicate<Ip> satisfies(NodeIp element) {
        return switch (element) {
            case NodeIp.Exact(Ip ip) -> ip::equals;
            case NodeIp.Any(IpFamily family) -> ip -> ip.family() == family;
            case NodeIp.Within(var network) -> network::contains;
            case NodeIp.OnInterface(String name, IpFamily family) ->
                ip -> ip.family() == family
                        && host.addresses().stream()
                                .anyMatch(address -> address.ip().equals(ip)
                                        && host.link(address.link())
                                                .filter(link -> link.name().equals(name))
                                                .isPresent());
        };
    }

    private NodeAddresses explained(List<NodeAddress> ordered, List<NodeIp> elements) {
        List<Ip> nodeIps = NodeAddresses.nodeIps(ordered);
        List<Chosen> chosen = new ArrayList<>();
        List<Ip> explained = new ArrayList<>();
        for (NodeAddress address : ordered) {
            Optional<Ip> nodeIp = address.ip().filter(nodeIps::contains).filter(ip -> !explained.contains(ip));
            nodeIp.ifPresent(explained::add);
            chosen.add(new Chosen(
                    address, nodeIp.map(ip -> reason(ip, nodeIps, elements)).orElse("the provider has it")));
        }
        return new NodeAddresses(chosen, passedOver, warnings);
    }

    private String reason(Ip ip, List<Ip> nodeIps, List<NodeIp> elements) {
        String rank = nodeIps.indexOf(ip) == 0 ? "primary" : "secondary";
        return elements.stream()
                .filter(element -> element.family() == ip.family())
                .findFirst()
                .map(element -> rank + ": the provider's first one that satisfies " + element)
                .orElse(rank);
    }

    private static boolean isOf(IpFamily family, NodeAddress address) {
        return address.ip().filter(ip -> ip.family() == family).isPresent();
    }

    private NodeAddressException refused(String rule) {
        String given = provided.stream()
                .filter(address -> address.type() == NodeAddress.Type.INTERNAL_IP
                        || address.type() == NodeAddress.Type.EXTERNAL_IP)
                .map(NodeAddress::toString)
                .collect(Collectors.joining(", "));
        return new NodeAddressException(
                "node IPs \"" + wanted + "\": " + rule + "; the provider gives "
                        + (given.isEmpty() ? "no IP address" : given),
                passedOver);
    }
}
