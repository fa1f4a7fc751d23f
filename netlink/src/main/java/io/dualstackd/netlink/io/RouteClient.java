package io.dualstackd.netlink.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.AddressCodec;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.route.LinkChange;
import io.dualstackd.netlink.route.LinkCodec;
import io.dualstackd.netlink.route.LinkKind;
import io.dualstackd.netlink.route.PolicyRuleCodec;
import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteCodec;
import io.dualstackd.netlink.route.RouteMessages;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** Lists and changes links, addresses and routes of one network namespace: what {@code ip link}, {@code ip address} and
 * {@code ip route} do. For one thread at a time. */
public final class RouteClient implements AutoCloseable {
    private static final int NEW = NlFlags.CREATE | NlFlags.EXCLUSIVE;

    private final NetlinkConnection kernel;

    public RouteClient(NetlinkConnection kernel) {
        this.kernel = kernel;
    }

    /** For a given namespace. */
    public static RouteClient open(NetNs ns) throws NetlinkException {
        return open(NetlinkSockets.of(ns));
    }

    /** Through one of these sockets. */
    public static RouteClient open(NetlinkSockets sockets) throws NetlinkException {
        return new RouteClient(new NetlinkConnection(sockets.open(NlProtocol.ROUTE)));
    }

    public List<Link> links() throws NetlinkException {
        return kernel.dump(
                new Request("list links", RouteMessages.GETLINK, 0, LinkCodec::writeListAll),
                message -> LinkCodec.read(message.body("RTM_NEWLINK")));
    }

    /** The link of that name, empty when there is none. */
    public Optional<Link> link(String name) throws NetlinkException {
        Request request = new Request("find link " + name, RouteMessages.GETLINK, 0, w -> LinkCodec.writeName(w, name));
        return kernel.find(request, Errno.ENODEV, message -> LinkCodec.read(message.body("RTM_NEWLINK")));
    }

    /** Adds a link; EEXIST when the name is taken. */
    public void add(Link link) throws NetlinkException {
        change("add link " + link.name(), RouteMessages.NEWLINK, NEW, w -> LinkCodec.write(w, link));
    }

    /** Adds a bridge, down. */
    public void addBridge(String name) throws NetlinkException {
        add(Link.of(name, LinkKind.bridge()));
    }

    /** Adds a veth pair with both ends in this namespace, down. */
    public void addVeth(String name, String peer) throws NetlinkException {
        add(Link.of(name, LinkKind.veth(peer)));
    }

    /** Adds a veth pair from this namespace to another, both ends down. */
    public void addVeth(String name, String peer, NetNs peerNs) throws NetlinkException {
        add(Link.of(name, LinkKind.veth(peer, peerNs.fd().number())));
    }

    /** Changes one link, all changes in one message. */
    public void change(int link, LinkChange... changes) throws NetlinkException {
        List<LinkChange> list = List.of(changes);
        change(
                "change link " + link + " " + list,
                RouteMessages.SETLINK,
                0,
                w -> LinkCodec.writeChanges(w, link, list));
    }

    /**
     * Changes the link of that name.
     *
     * @throws NetlinkException.Refused with ENODEV when there is none
     */
    public void change(String link, LinkChange... changes) throws NetlinkException {
        change(indexOf(link), changes);
    }

    /**
     * The index of the link of that name.
     *
     * @throws NetlinkException.Refused with ENODEV when there is none
     */
    public int indexOf(String link) throws NetlinkException {
        return link(link)
                .orElseThrow(() -> new NetlinkException.Refused("find link " + link, Refusal.of(0, Errno.ENODEV)))
                .index();
    }

    /** Deletes a link; ENODEV when there is none. The other end of a veth pair is deleted, too. */
    public void deleteLink(int link) throws NetlinkException {
        change("delete link " + link, RouteMessages.DELLINK, 0, w -> LinkCodec.writeIndex(w, link));
    }

    public List<Address> addresses(IpFamily family) throws NetlinkException {
        return list(
                family,
                new Request(
                        "list " + family + " addresses",
                        RouteMessages.GETADDR,
                        0,
                        w -> AddressCodec.writeListAll(w, family)),
                message -> AddressCodec.read(message.body("RTM_NEWADDR")));
    }

    /** Without what other families have: of a family that it does not know, the kernel lists that of all the others. */
    private <T> List<T> list(IpFamily family, Request request, NetlinkConnection.Decoder<T> decoder)
            throws NetlinkException {
        return kernel
                .dump(
                        request,
                        message -> message.body("family").u8() == family.number()
                                ? Optional.of(decoder.decode(message))
                                : Optional.<T>empty())
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** Adds an address; EEXIST when the link has it. */
    public void add(Address address) throws NetlinkException {
        change("add address " + address, RouteMessages.NEWADDR, NEW, w -> AddressCodec.write(w, address));
    }

    /** Adds an address, or changes lifetime and flags of an existing one, as a renewed lease does. */
    public void replace(Address address) throws NetlinkException {
        change(
                "replace address " + address,
                RouteMessages.NEWADDR,
                NlFlags.CREATE | NlFlags.REPLACE,
                w -> AddressCodec.write(w, address));
    }

    /** Deletes an address; EADDRNOTAVAIL when the link does not have it. */
    public void delete(Address address) throws NetlinkException {
        change("delete address " + address, RouteMessages.DELADDR, 0, w -> AddressCodec.write(w, address));
    }

    /** All routes of all tables. */
    public List<Route> routes(IpFamily family) throws NetlinkException {
        return list(
                family,
                new Request(
                        "list " + family + " routes",
                        RouteMessages.GETROUTE,
                        0,
                        w -> RouteCodec.writeListAll(w, family)),
                message -> RouteCodec.read(message.body("RTM_NEWROUTE")));
    }

    /**
     * Looks up the current route of a packet without a mark, including policy routing rules and the kernel's check of its source ({@code rp_filter}), as
     * {@code ip route get} does.
     *
     * @param source empty to let the kernel choose one
     * @param in index of the link it is received on; empty for one that this host sends
     * @throws NetlinkException.Refused when there is no result: ENETUNREACH or EHOSTUNREACH without a route, EINVAL when the source is not
     *     allowed on that link
     */
    public Route lookup(Ip destination, Optional<Ip> source, OptionalInt in) throws NetlinkException {
        return lookup(destination, source, in, 0);
    }

    /** As the other method, for a packet with this mark, which policy routing rules may ask for. */
    public Route lookup(Ip destination, Optional<Ip> source, OptionalInt in, int mark) throws NetlinkException {
        Request request = new Request(
                "find the route to " + destination,
                RouteMessages.GETROUTE,
                0,
                w -> RouteCodec.writeLookup(w, destination, source, in, mark));
        return kernel.get(request, message -> RouteCodec.read(message.body("RTM_NEWROUTE")));
    }

    /** The bits of the mark of a packet that any policy routing rule asks for. */
    public int marksOfRules(IpFamily family) throws NetlinkException {
        return rules(family, PolicyRuleCodec::readMarkMask).stream().reduce(0, (one, other) -> one | other);
    }

    /** Whether any policy routing rule asks for the source of packets that come in, or for their interface. */
    public boolean rulesAskForSource(IpFamily family) throws NetlinkException {
        return rules(family, PolicyRuleCodec::readAsksForSource).contains(true);
    }

    private <T> List<T> rules(IpFamily family, Codec<T> codec) throws NetlinkException {
        Request request = new Request(
                "list " + family + " rules", RouteMessages.GETRULE, 0, w -> PolicyRuleCodec.writeListAll(w, family));
        return kernel.dump(request, message -> codec.read(message.body("RTM_NEWRULE")));
    }

    /** Reads the body of a message. */
    private interface Codec<T> {
        T read(NlReader body) throws DecodeException;
    }

    /** Adds a route; EEXIST when there is one to this destination with this priority. */
    public void add(Route route) throws NetlinkException {
        change("add route " + route, RouteMessages.NEWROUTE, NEW, w -> RouteCodec.write(w, route));
    }

    /** Adds a route, or replaces the one to this destination with this priority. */
    public void replace(Route route) throws NetlinkException {
        change(
                "replace route " + route,
                RouteMessages.NEWROUTE,
                NlFlags.CREATE | NlFlags.REPLACE,
                w -> RouteCodec.write(w, route));
    }

    /** Deletes a route; ESRCH when there is none. */
    public void delete(Route route) throws NetlinkException {
        change("delete route " + route, RouteMessages.DELROUTE, 0, w -> RouteCodec.write(w, route));
    }

    private void change(String operation, int type, int flags, Consumer<NlWriter> body) throws NetlinkException {
        List<NlMessage> ignored = kernel.request(new Request(operation, type, flags, body));
    }

    @Override
    public void close() {
        kernel.close();
    }
}
