package io.dualstackd.explain.io;

import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.explain.HostPath.Finding;
import io.dualstackd.explain.HostPath.Verdict;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.RouteClient;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteType;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.sys.Sysctl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Looks up the kernel's route for a packet, and the settings that decide whether it may be forwarded. */
final class HostRoutes {
    private final RouteClient kernel;
    private final NetNs ns;
    private final Packet packet;
    private final Optional<String> in;
    private final Set<String> notSeen = new LinkedHashSet<>();
    private final Map<Asked, Answer> answers = new HashMap<>();
    private OptionalInt marks = OptionalInt.empty();

    private record Asked(Ip destination, int mark) {}

    /**
     * The route.
     *
     * @param local whether it stays on this host
     * @param out name of the interface it leaves through; an empty text for none; empty when that is not known
     */
    record Answer(boolean local, Optional<String> out, List<Finding> findings) {}

    HostRoutes(RouteClient kernel, NetNs ns, Packet packet) {
        this.kernel = kernel;
        this.ns = ns;
        this.packet = packet;
        this.in = packet.origin() instanceof Packet.Origin.Interface(String name) && !name.isEmpty()
                ? Optional.of(name)
                : Optional.empty();
    }

    Set<String> notSeen() {
        return notSeen;
    }

    /** The bits of the mark that policy routing rules ask for; 0 when that is not known. */
    int marks() {
        OptionalInt known = marks;
        if (known.isEmpty()) {
            try {
                known = OptionalInt.of(kernel.marksOfRules(packet.destination().family()));
            } catch (NetlinkException e) {
                notSeen.add("policy routing rules: " + e.getMessage());
                known = OptionalInt.of(0);
            }
            marks = known;
        }
        return known.getAsInt();
    }

    /** @param mark of the packet when it is routed, which policy routing rules may ask for */
    Answer to(Ip destination, int mark) {
        return answers.computeIfAbsent(new Asked(destination, mark), this::lookUp);
    }

    private Answer lookUp(Asked asked) {
        Ip destination = asked.destination();
        boolean fromHere = packet.origin() instanceof Packet.Origin.ThisNode;
        try {
            Optional<Link> link = in.isPresent() ? kernel.link(in.get()) : Optional.empty();
            if (!fromHere && link.isEmpty()) {
                notSeen.add(in.map(name -> "rp_filter: this host has no interface " + name)
                        .orElse("rp_filter, which depends on the interface it comes in through (--in NAME)"));
                if (kernel.rulesAskForSource(destination.family())) {
                    notSeen.add("policy routing rules that ask for the source, or for that interface");
                }
            }
            if (!fromHere && link.isPresent() && !link.get().isUp()) {
                return drops("interface " + link.get().name(), "it is down");
            }
            Optional<Answer> closed = fromHere ? Optional.empty() : forwarding(destination, link);
            if (closed.isPresent()) {
                return closed.get();
            }
            boolean asIncoming = !fromHere && link.isPresent();
            Optional<Ip> source = fromHere || asIncoming ? Optional.of(packet.source()) : Optional.empty();
            OptionalInt index = asIncoming ? OptionalInt.of(link.get().index()) : OptionalInt.empty();
            return words(destination, kernel.lookup(destination, source, index, asked.mark()));
        } catch (NetlinkException.Refused e) {
            return refused(destination, e.errno());
        } catch (NetlinkException e) {
            return unanswered(destination, e);
        }
    }

    private Answer refused(Ip destination, Errno errno) {
        try {
            return drops("route to " + destination, refusal(errno));
        } catch (NetlinkException e) {
            return unanswered(destination, e);
        }
    }

    private Answer unanswered(Ip destination, NetlinkException why) {
        notSeen.add("the route to " + destination + ": " + why.getMessage());
        return new Answer(false, Optional.empty(), List.of());
    }

    /** A packet for another host is forwarded only where that is switched on; the answer to a route request does not show it. */
    private Optional<Answer> forwarding(Ip destination, Optional<Link> link) throws NetlinkException {
        if (isLocal(destination)) {
            return Optional.empty();
        }
        boolean ipv6 = destination.family() == IpFamily.IPV6;
        String key = ipv6
                ? "net/ipv6/conf/all/forwarding"
                : link.map(up -> "net/ipv4/conf/" + up.name() + "/forwarding").orElse("net/ipv4/ip_forward");
        if (setting(key).filter("0"::equals).isEmpty()) {
            return Optional.empty();
        }
        Set<String> forwarding =
                ipv6 ? forwarding("net/ipv6/conf", "force_forwarding") : forwarding("net/ipv4/conf", "forwarding");
        if (link.isEmpty() && !forwarding.isEmpty()) {
            notSeen.add("forwarding, which depends on the interface it comes in through (--in NAME)");
            return Optional.empty();
        }
        return link.filter(up -> forwarding.contains(up.name())).isPresent()
                ? Optional.empty()
                : Optional.of(drops(key.replace('/', '.'), "it is 0"));
    }

    /** The interfaces that forward packets although forwarding is not on for all. */
    private Set<String> forwarding(String folder, String setting) {
        try {
            Set<String> names = Sysctl.interfaces(ns, folder, setting, "1");
            // Has no effect of its own; the second is for interfaces that will be made.
            names.removeAll(Set.of("all", "default"));
            return names;
        } catch (IOException e) {
            notSeen.add(folder.replace('/', '.') + ".*." + setting + ": " + e.getMessage());
            return Set.of();
        }
    }

    private boolean isLocal(Ip destination) throws NetlinkException {
        try {
            return kernel.lookup(destination, Optional.empty(), OptionalInt.empty())
                    .type()
                    .equals(RouteType.LOCAL);
        } catch (NetlinkException.Refused e) {
            return false;
        }
    }

    private Answer words(Ip destination, Route route) throws NetlinkException {
        String what = "route to " + destination;
        if (route.type().equals(RouteType.LOCAL)) {
            return new Answer(true, Optional.of(""), List.of(new Finding(what, Verdict.PASSES, "this host")));
        }
        if (!route.type().equals(RouteType.UNICAST)) {
            return drops(what, "it is of type " + route.type());
        }
        Optional<Link> out = kernel.links().stream()
                .filter(link ->
                        route.link().isPresent() && link.index() == route.link().getAsInt())
                .findFirst();
        List<Finding> findings = new ArrayList<>();
        findings.add(new Finding(
                what,
                Verdict.PASSES,
                "through " + out.map(Link::name).orElse("an interface that is gone")
                        + route.gateway().map(router -> " via " + router).orElse("")));
        reversePath().ifPresent(findings::add);
        return new Answer(false, out.map(Link::name), findings);
    }

    /** The reverse-path filter was checked by the kernel with the route; this only reports it. */
    private Optional<Finding> reversePath() {
        return in.filter(name -> packet.destination().family() == IpFamily.IPV4)
                .flatMap(this::reversePathFilter)
                .map(value -> new Finding(
                        "rp_filter of " + in.orElse(""),
                        Verdict.PASSES,
                        value == 0 ? "off" : "it is " + value + ", and the source may come in there"));
    }

    private Optional<Integer> reversePathFilter(String name) {
        Optional<String> all = setting("net/ipv4/conf/all/rp_filter");
        Optional<String> own = setting("net/ipv4/conf/" + name + "/rp_filter");
        return all.isEmpty() || own.isEmpty()
                ? Optional.empty()
                : Optional.of(Math.max(Integer.parseInt(all.get()), Integer.parseInt(own.get())));
    }

    private Optional<String> setting(String key) {
        try {
            return Optional.of(Sysctl.read(ns, key));
        } catch (IOException e) {
            notSeen.add(key.replace('/', '.') + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /** The kernel returns EINVAL for a source that rp_filter refuses, and for others. */
    private String refusal(Errno errno) throws NetlinkException {
        int filter = in.flatMap(this::reversePathFilter).orElse(0);
        if (errno.equals(Errno.EINVAL) && packet.destination().family() == IpFamily.IPV4 && filter != 0) {
            Optional<String> back = wayBack();
            if (back.isEmpty() || (filter == 1 && !back.equals(in))) {
                return "rp_filter of " + in.orElse("its interface") + " is " + filter + ", and the way back to "
                        + packet.source() + " leads "
                        + back.map(name -> "through " + name).orElse("nowhere");
            }
        }
        return errno.equals(Errno.EINVAL)
                ? "the kernel says " + errno + ": no packet from " + packet.source()
                        + " may come in there, or the route is a blackhole"
                : "the kernel says " + errno;
    }

    private Optional<String> wayBack() throws NetlinkException {
        try {
            OptionalInt link = kernel.lookup(packet.source(), Optional.empty(), OptionalInt.empty())
                    .link();
            return kernel.links().stream()
                    .filter(each -> link.isPresent() && each.index() == link.getAsInt())
                    .map(Link::name)
                    .findFirst();
        } catch (NetlinkException.Refused e) {
            return Optional.empty();
        }
    }

    private static Answer drops(String what, String why) {
        return new Answer(false, Optional.empty(), List.of(new Finding(what, Verdict.DROPS, why)));
    }
}
