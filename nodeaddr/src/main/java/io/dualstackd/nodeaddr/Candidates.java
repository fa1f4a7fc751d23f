package io.dualstackd.nodeaddr;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.nodeaddr.Host.Address;
import io.dualstackd.nodeaddr.Host.DefaultRoute;
import io.dualstackd.nodeaddr.Host.Link;
import io.dualstackd.nodeaddr.NodeAddresses.PassedOver;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The candidates of detection for an element, in order. The same address may occur more than once. */
final class Candidates {
    private final Host host;
    private final HostNames names;
    private final HostAddresses addresses;
    private final List<PassedOver> empty = new ArrayList<>();
    /** The former uplinks that still exist; empty when the host has not had a default route before. */
    private final List<Link> formerUplinks;

    Candidates(Host host, HostNames names, Set<String> formerUplinks) {
        this.host = host;
        this.names = names;
        this.addresses = new HostAddresses(host);
        this.formerUplinks = host.links().stream()
                .filter(link -> formerUplinks.contains(link.name()))
                .toList();
    }

    /** Places that were searched and hold no address of the family. */
    List<PassedOver> emptyPlaces() {
        return List.copyOf(empty);
    }

    List<Candidate> of(NodeIp element) {
        return switch (element) {
            case NodeIp.Exact(Ip ip) ->
                addresses.find(ip).stream().map(address -> at(address, "given")).toList();
            case NodeIp.Any(IpFamily family) -> anywhere(family);
            case NodeIp.Within(IpPrefix network) ->
                Stream.concat(anywhere(network.family()).stream(), everywhere(network.family()))
                        .map(c -> network.contains(c.ip()) ? c : c.but("it is not in " + network))
                        .toList();
            case NodeIp.OnInterface(String name, IpFamily family) -> onInterface(name, family);
        };
    }

    private List<Candidate> anywhere(IpFamily family) {
        return Stream.of(byName(family), uplinks(family)).flatMap(List::stream).toList();
    }

    /** Kubelet accepts a host name that is an address without a check; here it must be an address of the host, as the others. */
    private List<Candidate> byName(IpFamily family) {
        Stream<Candidate> literal = LenientIp.read(names.hostname()).stream()
                .map(ip -> named(ip, "host name " + names.hostname(), "the host's name is this address"));
        Stream<Candidate> resolved = names.resolved().stream()
                .map(ip -> named(ip, ip + " from DNS", "DNS says so about " + names.hostname()));
        return Stream.concat(literal, resolved)
                .filter(candidate -> candidate.ip().family() == family)
                .toList();
    }

    private Candidate named(Ip ip, String text, String reason) {
        Optional<Address> found = addresses.find(ip);
        Optional<String> objection =
                found.isEmpty() ? Optional.of("no interface of this host has it") : found.flatMap(addresses::objection);
        return new Candidate(ip, text, objection, reason);
    }

    /**
     * Addresses on uplinks: for each default route, by metric, the addresses of its interface, then those of loopback interfaces, where
     * routers of networks with unnumbered links keep theirs (RFC 5549). Then the interfaces of the other family's default routes: a family
     * without a default route usually has its addresses there, and not on some bridge. Without any default route, the interfaces that had
     * one last are searched; only if none of them exists, all are.
     */
    private List<Candidate> uplinks(IpFamily family) {
        if (host.defaultRoutes().isEmpty() && !formerUplinks.isEmpty()) {
            return formerUplinks.stream()
                    .flatMap(link -> addresses.on(link, family).stream())
                    .map(address -> at(
                            address,
                            addresses.linkName(address) + " had a default route before, and there is none now"))
                    .toList();
        }
        if (host.defaultRoutes().isEmpty()) {
            return host.links().stream()
                    .filter(link -> link.up() && !link.loopback() && !link.pointToPoint())
                    .flatMap(link -> addresses.on(link, family).stream())
                    .map(address -> at(
                            address,
                            addresses.linkName(address) + " is the first interface with a usable address, and there is"
                                    + " no default route"))
                    .toList();
        }
        List<Candidate> candidates = new ArrayList<>();
        for (DefaultRoute route : routes(family)) {
            candidates.addAll(through(route, family));
            host.links().stream()
                    .filter(Link::loopback)
                    .flatMap(link -> addresses.on(link, family).stream())
                    .filter(address -> HostAddresses.hopeless(address.ip()).isEmpty())
                    .map(address -> at(
                            address,
                            "it is on " + addresses.linkName(address) + ", and " + linkName(route) + ", which has the "
                                    + family + " default route, has none"))
                    .forEach(candidates::add);
        }
        for (DefaultRoute route : routes(family.other())) {
            candidates.addAll(through(route, family));
        }
        return candidates;
    }

    private List<DefaultRoute> routes(IpFamily family) {
        return host.defaultRoutes().stream()
                .filter(route -> route.family() == family)
                .sorted(Comparator.comparingLong(DefaultRoute::metric))
                .toList();
    }

    private List<Candidate> through(DefaultRoute route, IpFamily family) {
        List<Address> all = host.link(route.link()).stream()
                .flatMap(link -> addresses.on(link, family).stream())
                .sorted(Comparator.comparing(
                        address -> route.source().filter(address.ip()::equals).isEmpty()))
                .toList();
        if (all.isEmpty()) {
            empty.add(new PassedOver(
                    "interface " + linkName(route),
                    "it has the " + route.family() + " default route, but no " + family + " address"));
        }
        return all.stream()
                .map(address -> at(address, reason(route, family, address.ip())))
                .toList();
    }

    private String reason(DefaultRoute route, IpFamily family, Ip ip) {
        String gateway = route.gateway().map(router -> " via " + router).orElse(" (on-link)");
        String text = linkName(route) + " has the " + route.family() + " default route" + gateway + ", metric "
                + route.metric();
        if (route.family() != family) {
            return text + "; " + family + " has none that helps";
        }
        return route.source().filter(ip::equals).isPresent() ? text + ", which names this address" : text;
    }

    private String linkName(DefaultRoute route) {
        return host.link(route.link()).map(Link::name).orElse("interface " + route.link());
    }

    private List<Candidate> onInterface(String name, IpFamily family) {
        Optional<Link> link = host.link(name);
        List<Address> all = link.map(l -> addresses.on(l, family)).orElse(List.of());
        if (all.isEmpty()) {
            empty.add(new PassedOver(
                    "interface " + name,
                    link.isPresent() ? "it has no " + family + " address" : "there is no interface of that name"));
        }
        return all.stream().map(address -> at(address, "it is on " + name)).toList();
    }

    /**
     * All addresses of the family that can be a node's address, on any interface: a network may be configured to select just such an
     * interface.
     */
    private Stream<Candidate> everywhere(IpFamily family) {
        return host.links().stream()
                .flatMap(link -> addresses.on(link, family).stream())
                .filter(address -> HostAddresses.hopeless(address.ip()).isEmpty())
                .map(address -> at(address, "it is on " + addresses.linkName(address)));
    }

    private Candidate at(Address address, String reason) {
        return new Candidate(address.ip(), addresses.placed(address), addresses.objection(address), reason);
    }
}
