package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.nodeaddr.Host.Address;
import io.dualstackd.nodeaddr.NodeAddresses.Chosen;
import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds a node's addresses on the host itself (bare metal), one for each element of {@code --node-ips}.
 *
 * <p>An exact address is validated. For a keyword these are searched, each only if those before have nothing usable: the host's name if it
 * is an address, the addresses DNS returns for it, interfaces with a default route. For a network the first address inside it is taken,
 * from the same candidates and then from all addresses; for an interface only its own addresses are searched. An element for which nothing
 * is found is left out.
 */
public final class Detection {
    private final NodeIps wanted;
    private final Host host;
    private final HostNames names;
    private final HostAddresses addresses;
    private final List<Chosen> chosen = new ArrayList<>();
    private final Set<Ip> taken = new HashSet<>();
    private final Map<String, PassedOver> passedOver = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();

    private final Set<String> formerUplinks;

    private Detection(Host host, HostNames names, NodeIps wanted, Set<String> formerUplinks) {
        this.wanted = wanted;
        this.host = host;
        this.names = names;
        this.formerUplinks = formerUplinks;
        this.addresses = new HostAddresses(host);
    }

    /**
     * Returns an {@code InternalIP} for each element that has one, in their order, and the {@code Hostname}.
     *
     * @throws NodeAddressException when an exact address is not acceptable, or there is no address at all
     */
    public static NodeAddresses detect(Host host, HostNames names, NodeIps wanted) throws NodeAddressException {
        return detect(host, names, wanted, Set.of());
    }

    /**
     * As {@link #detect(Host, HostNames, NodeIps)}, on a host that has been read before.
     *
     * @param formerUplinks names of the interfaces that had the default routes when there was one last. While the host has no default route
     *     and one of these interfaces exists, no other interface is used for the keyword of a family: an uplink that is down for a moment
     *     must not give the node the address of a bridge
     * @throws NodeAddressException when an exact address is not acceptable, or there is no address at all
     */
    public static NodeAddresses detect(Host host, HostNames names, NodeIps wanted, Set<String> formerUplinks)
            throws NodeAddressException {
        return new Detection(host, names, wanted, formerUplinks).result();
    }

    /**
     * Checks exact addresses against kubelet's rules ({@code validateNodeIP}).
     *
     * @throws NodeAddressException naming the first rule that is broken
     */
    public static void validate(Host host, NodeIps wanted) throws NodeAddressException {
        Detection detection = new Detection(host, HostNames.of(""), wanted, Set.of());
        Optional<String> broken = detection.invalid();
        if (broken.isPresent()) {
            throw new NodeAddressException(broken.get());
        }
    }

    /**
     * Returns the same node IPs for a reader without access to this host: interfaces are replaced by the addresses found on them, or left
     * out. Empty when nothing is left.
     */
    public static Optional<NodeIps> withoutInterfaces(Host host, NodeIps wanted) {
        List<NodeIp> elements = new ArrayList<>();
        for (NodeIp element : wanted.elements()) {
            if (element instanceof NodeIp.OnInterface) {
                new Candidates(host, HostNames.of(""), Set.of())
                        .of(element).stream()
                                .filter(candidate -> candidate.objection().isEmpty())
                                .findFirst()
                                .ifPresent(candidate -> elements.add(new NodeIp.Exact(candidate.ip())));
            } else {
                elements.add(element);
            }
        }
        return elements.isEmpty() ? Optional.empty() : Optional.of(new NodeIps(elements));
    }

    private Optional<String> invalid() {
        for (NodeIp element : wanted.elements()) {
            if (element instanceof NodeIp.Exact(Ip ip)) {
                Optional<String> broken = addresses.brokenBy(ip);
                if (broken.isPresent()) {
                    String which = element.equals(wanted.first()) ? "nodeIP" : "secondaryNodeIP";
                    return Optional.of("failed to validate " + which + ": " + broken.get());
                }
            }
        }
        return Optional.empty();
    }

    private NodeAddresses result() throws NodeAddressException {
        Optional<String> invalid = invalid();
        if (invalid.isEmpty()) {
            wanted.elements().forEach(this::choose);
        }
        passOverTheRest();
        if (invalid.isPresent() || chosen.isEmpty()) {
            throw new NodeAddressException(
                    invalid.orElse("node IPs \"" + wanted + "\": this host has no such address"),
                    List.copyOf(passedOver.values()));
        }
        chosen.add(new Chosen(NodeAddress.hostname(names.hostname()), "the host's name"));
        return new NodeAddresses(chosen, List.copyOf(passedOver.values()), warnings);
    }

    private void choose(NodeIp element) {
        Candidates places = new Candidates(host, names, formerUplinks);
        Optional<Ip> winner = Optional.empty();
        for (Candidate candidate : places.of(element)) {
            if (winner.isPresent()) {
                passOver(candidate, candidate.objection().orElse(winner.get() + " comes first"));
            } else if (candidate.objection().isEmpty() || element.isRequired()) {
                winner = Optional.of(candidate.ip());
                take(element, candidate);
            } else {
                passOver(candidate, candidate.objection().get());
            }
        }
        places.emptyPlaces().forEach(place -> passedOver.putIfAbsent(place.candidate(), place));
    }

    private void take(NodeIp element, Candidate candidate) {
        taken.add(candidate.ip());
        chosen.add(new Chosen(NodeAddress.internal(candidate.ip()), element + ": " + candidate.reason()));
        candidate
                .objection()
                .ifPresent(why -> warnings.add(
                        "Node IP " + candidate.text() + " is taken because it was given, but " + why + "."));
    }

    private void passOver(Candidate candidate, String why) {
        if (!taken.contains(candidate.ip())) {
            passedOver.putIfAbsent(candidate.text(), new PassedOver(candidate.text(), why));
        }
    }

    /** Adds the addresses that were not considered. Those that no node can have are left out: every pod's interface has one. */
    private void passOverTheRest() {
        for (Address address : host.addresses()) {
            boolean hopeless = HostAddresses.hopeless(address.ip()).isPresent();
            if (!hopeless && !taken.contains(address.ip())) {
                String text = addresses.placed(address);
                passedOver.putIfAbsent(text, new PassedOver(text, notLookedAt(address)));
            }
        }
    }

    private String notLookedAt(Address address) {
        Optional<NodeIp> element = wanted.element(address.ip().family());
        if (element.isEmpty()) {
            return "\"" + wanted + "\" leaves no room for " + address.ip().family();
        }
        return addresses.objection(address).orElseGet(() -> switch (element.get()) {
            case NodeIp.Exact(Ip ip) -> ip + " is given";
            case NodeIp.Any ignored -> "its interface has no default route";
            case NodeIp.Within(var network) -> "it is not in " + network;
            case NodeIp.OnInterface(String name, var ignored) -> "it is not on " + name;
        });
    }
}
