package io.dualstackd.agent.simulation;

import io.dualstackd.netlink.conntrack.ConntrackMessages;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.MessageFilter;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.io.NftMonitor;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.nft.NftQuery;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.route.Address;
import io.dualstackd.netlink.route.AddressCodec;
import io.dualstackd.netlink.route.Link;
import io.dualstackd.netlink.route.LinkCodec;
import io.dualstackd.netlink.route.LinkKind;
import io.dualstackd.netlink.route.OperState;
import io.dualstackd.netlink.route.RouteMessages;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import io.dualstackd.supervision.sys.SimulatedPlatform;
import io.dualstackd.supervision.sys.Trace;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A kernel that speaks netlink and is not there: the rule set of a namespace with its transactions, generations and notifications, an empty
 * connection table, and a host with some addresses. What it is sent and what it answers are the bytes of netlink.
 */
final class SimulatedKernel implements NetlinkSockets {
    private static final int BATCH_BEGIN = 0x10;
    private static final int BATCH_END = 0x11;
    private static final int GENERATION = 1;
    /** Attributes of a rule that only mean something in its transaction. */
    private static final int[] OF_TRANSACTION = {6, 9, 10};

    private static final int RULE_HANDLE = 3;

    private final SimulatedPlatform platform;
    private final Trace trace;
    private final Host host;
    private final List<Socket> sockets = new ArrayList<>();
    private NftTables tables = new NftTables();
    private int generation = 1;
    private int portIds = 1000;
    private int silent;
    private int unreachable;
    private long transactions;

    /** What rtnetlink lists. */
    record Host(List<Link> links, List<Address> addresses) {}

    SimulatedKernel(SimulatedPlatform platform, Trace trace, Host host) {
        this.platform = platform;
        this.trace = trace;
        this.host = host;
    }

    NftTables tables() {
        return tables;
    }

    /** How many transactions were applied. */
    long transactions() {
        return transactions;
    }

    /** The next notifications of rule changes reach no one, and no one learns that they were lost. */
    void loseNotifications(int count) {
        silent = count;
    }

    /** The receive buffers of all that listen to rule changes overflow: what waits in them is lost, and the listeners are told. */
    void overrun() {
        for (Socket socket : sockets) {
            if (socket.groups.contains(NftMonitor.GROUP)) {
                socket.waiting.clear();
                socket.waiting.add(new Arrival.Overrun());
            }
        }
    }

    /** The next transactions cannot be sent. */
    void refuseToSend(int count) {
        unreachable = count;
    }

    @Override
    public NlTransport open(NlProtocol protocol, int receiveBuffer) {
        Socket socket = new Socket(++portIds);
        sockets.add(socket);
        return socket;
    }

    private final class Socket implements NlTransport {
        private final int portId;
        private final Deque<Arrival> waiting = new ArrayDeque<>();
        private final Set<Integer> groups = new HashSet<>();
        private Collection<Integer> leftOut = List.of();
        private MessageFilter filter = (datagram, offset, length) -> true;
        private boolean closed;

        Socket(int portId) {
            this.portId = portId;
        }

        @Override
        public void send(NlWriter writer) throws NetlinkException {
            if (closed) {
                throw new NetlinkException.Closed("send");
            }
            byte[] datagram = writer.toByteArray();
            List<NlMessage> messages = RawMessage.split(datagram, datagram.length);
            if (messages.getFirst().type() == BATCH_BEGIN) {
                if (unreachable > 0) {
                    unreachable--;
                    trace.add(platform.nanoTime(), "kernel", "not sent");
                    throw new NetlinkException.AnswerLost("simulated");
                }
                batch(this, messages);
            } else {
                messages.forEach(message -> answer(this, message));
            }
        }

        private void reply(List<byte[]> messages) {
            byte[] datagram = RawMessage.concat(messages);
            if (datagram.length > 0) {
                waiting.add(new Arrival.Messages(RawMessage.split(datagram, datagram.length)));
            }
        }

        @Override
        public Arrival receive(Duration timeout) throws NetlinkException {
            long now = platform.nanoTime();
            long deadline = timeout.toSeconds() > 1_000_000_000L ? Long.MAX_VALUE : now + timeout.toNanos();
            while (true) {
                try {
                    if (!platform.waitFor(() -> closed || !waiting.isEmpty(), deadline)) {
                        return new Arrival.Silence();
                    }
                } catch (InterruptedException e) {
                    // As in the real one, an interrupt does not end the wait; it is seen by the next one.
                    Thread.currentThread().interrupt();
                    return new Arrival.Silence();
                }
                if (closed) {
                    throw new NetlinkException.Closed("receive");
                }
                Arrival next = waiting.removeFirst();
                if (!(next instanceof Arrival.Messages(List<NlMessage> messages))) {
                    return next;
                }
                List<NlMessage> kept = messages.stream()
                        .filter(message -> {
                            Bytes bytes = message.toBytes();
                            return filter.keeps(RawMessage.order(bytes.toArray()), 0, bytes.length());
                        })
                        .toList();
                if (!kept.isEmpty()) {
                    return new Arrival.Messages(kept);
                }
            }
        }

        @Override
        public void listen(int group, MessageFilter wanted, int receiveBuffer) {
            receiveOnly(wanted);
            join(group);
        }

        @Override
        public void join(int group) {
            groups.add(group);
        }

        @Override
        public void receiveOnly(MessageFilter wanted) {
            filter = wanted;
        }

        @Override
        public void leaveOut(Collection<Integer> portIds) {
            leftOut = List.copyOf(portIds);
        }

        @Override
        public int portId() {
            return portId;
        }

        @Override
        public void close() {
            closed = true;
            sockets.remove(this);
        }
    }

    private void batch(Socket sender, List<NlMessage> messages) {
        NlMessage begin = messages.getFirst();
        List<byte[]> replies = new ArrayList<>();
        int expected = RawMessage.find(RawMessage.attrs(begin), GENERATION)
                .map(bytes -> ByteBuffer.wrap(bytes).getInt())
                .orElse(0);
        if (expected != 0 && expected != generation) {
            sender.reply(List.of(RawMessage.error(begin, Errno.ERESTART.number())));
            return;
        }
        NftTables changed = tables.copy();
        boolean refused = false;
        List<byte[]> notifications = new ArrayList<>();
        for (NlMessage message : messages.subList(1, messages.size())) {
            if (message.type() == BATCH_END) {
                continue;
            }
            Optional<Errno> errno = changed.apply(message);
            refused |= errno.isPresent();
            if (errno.isPresent() || (message.flags() & RawMessage.ACK) != 0) {
                replies.add(RawMessage.error(message, errno.map(Errno::number).orElse(0)));
            }
            notifications.add(RawMessage.by(sender.portId, message));
        }
        if (!refused) {
            commit(sender, messages, changed, notifications);
        }
        sender.reply(replies);
    }

    private void commit(Socket sender, List<NlMessage> messages, NftTables changed, List<byte[]> notifications) {
        tables = changed;
        generation++;
        transactions++;
        trace.add(
                platform.nanoTime(), "commit", Integer.toHexString(Arrays.hashCode(RawMessage.concat(notifications))));
        NlMessage first = messages.get(1);
        if ((first.flags() & RawMessage.ECHO) != 0) {
            sender.reply(List.of(generation(first.sequence(), sender.portId)));
        }
        if (silent > 0) {
            silent--;
            return;
        }
        notifications.add(generation(0, sender.portId));
        for (Socket socket : sockets) {
            if (socket.groups.contains(NftMonitor.GROUP) && !socket.leftOut.contains(sender.portId)) {
                socket.reply(notifications);
            }
        }
    }

    private byte[] generation(int sequence, int portId) {
        return RawMessage.nft(
                NftMessageType.NEW_GENERATION,
                0,
                sequence,
                portId,
                0,
                RawMessage.u32be(1, generation),
                RawMessage.u32be(2, portId),
                RawMessage.text(3, "simulated"));
    }

    private void answer(Socket to, NlMessage request) {
        boolean dump = (request.flags() & RawMessage.DUMP) == RawMessage.DUMP;
        List<byte[]> found = found(to, request, dump ? RawMessage.MULTI : 0);
        if (dump) {
            found.add(RawMessage.done(request));
        } else if (found.isEmpty()) {
            found.add(RawMessage.error(request, Errno.ENOENT.number()));
        } else {
            found.add(RawMessage.error(request, 0));
        }
        to.reply(found);
    }

    private List<byte[]> found(Socket to, NlMessage request, int flags) {
        int type = request.type();
        List<byte[]> all = new ArrayList<>();
        switch (type) {
            case RouteMessages.GETLINK ->
                host.links.forEach(link ->
                        all.add(route(request, RouteMessages.NEWLINK, flags, written(w -> LinkCodec.write(w, link)))));
            case RouteMessages.GETADDR ->
                host.addresses.stream()
                        .filter(address -> address.family().number() == RawMessage.family(request))
                        .forEach(address -> all.add(route(
                                request, RouteMessages.NEWADDR, flags, written(w -> AddressCodec.write(w, address)))));
            case RouteMessages.GETROUTE, RouteMessages.GETNEXTHOP, ConntrackMessages.GET -> {}
            case ConntrackMessages.GET_STATS ->
                all.add(RawMessage.nft(type, flags, request.sequence(), to.portId, 0, RawMessage.u32be(1, 0)));
            default -> {
                if (type == NftMessageType.GET_GENERATION) {
                    all.add(generation(request.sequence(), to.portId));
                } else {
                    nft(to, request, flags, all);
                }
            }
        }
        return all;
    }

    private static byte[] written(Consumer<NlWriter> body) {
        NlWriter writer = new NlWriter();
        body.accept(writer);
        return writer.toByteArray();
    }

    private static byte[] route(NlMessage request, int type, int flags, byte[] body) {
        return RawMessage.message(type, flags, request.sequence(), request.portId(), body);
    }

    private void nft(Socket to, NlMessage request, int flags, List<byte[]> all) {
        byte[] attrs = RawMessage.attrs(request);
        NftFamily family = new NftFamily(RawMessage.family(request));
        String table = RawMessage.text(attrs, 1);
        List<NftTables.Table> in = table.isEmpty()
                ? tables.of(family).toList()
                : tables.find(new TableName(family, table)).stream().toList();
        int type = request.type() - 1;
        for (NftTables.Table each : in) {
            int number = each.name().family().number();
            if (request.type() == NftMessageType.GET_TABLE) {
                all.add(RawMessage.nft(
                        type,
                        flags,
                        request.sequence(),
                        to.portId,
                        number,
                        each.attrs().toArray(),
                        RawMessage.u64be(4, each.handle())));
            } else if (request.type() == NftMessageType.GET_CHAIN) {
                String name = RawMessage.text(attrs, 3);
                each.chains().values().stream()
                        .filter(chain ->
                                name.isEmpty() || chain.declared().name().name().equals(name))
                        .forEach(chain -> all.add(RawMessage.nft(
                                type,
                                flags,
                                request.sequence(),
                                to.portId,
                                number,
                                chain.attrs().toArray(),
                                RawMessage.u64be(2, chain.handle()),
                                RawMessage.u32be(6, chain.rules().size()))));
            } else if (request.type() == NftMessageType.GET_RULE) {
                String name = RawMessage.text(attrs, 2);
                each.chains().values().stream()
                        .filter(chain ->
                                name.isEmpty() || chain.declared().name().name().equals(name))
                        .flatMap(chain -> chain.rules().stream())
                        .forEach(rule -> all.add(RawMessage.nft(
                                type,
                                flags,
                                request.sequence(),
                                to.portId,
                                number,
                                RawMessage.without(rule.attrs().toArray(), OF_TRANSACTION),
                                RawMessage.u64be(RULE_HANDLE, rule.handle()))));
            } else if (request.type() == NftMessageType.GET_SET) {
                each.sets()
                        .values()
                        .forEach(set -> all.add(RawMessage.nft(
                                type,
                                flags,
                                request.sequence(),
                                to.portId,
                                number,
                                set.attrs().toArray())));
            } else if (request.type() == NftMessageType.GET_ELEMENT) {
                elements(to, request, flags, all, each, RawMessage.text(attrs, 2));
            } else {
                throw new IllegalArgumentException("the simulated kernel knows no message of type " + request.type());
            }
        }
    }

    private void elements(
            Socket to, NlMessage request, int flags, List<byte[]> all, NftTables.Table table, String name) {
        NftTables.Set set = table.sets().get(name);
        if (set == null) {
            return;
        }
        Set<String> wanted = new HashSet<>();
        try {
            if (!RawMessage.elements(request).isEmpty()) {
                NftQuery.readElements(request).forEach(element -> wanted.add(NftTables.key(element)));
            }
        } catch (DecodeException e) {
            throw new IllegalArgumentException(e);
        }
        List<byte[]> nests = set.elements().entrySet().stream()
                .filter(entry -> wanted.isEmpty() || wanted.contains(entry.getKey()))
                .map(entry -> entry.getValue().nest().toArray())
                .toList();
        IntStream.iterate(0, at -> at < nests.size(), at -> at + 200)
                .forEach(at -> all.add(RawMessage.nft(
                        request.type() - 1,
                        flags,
                        request.sequence(),
                        to.portId,
                        table.name().family().number(),
                        RawMessage.text(1, table.name().name()),
                        RawMessage.text(2, name),
                        RawMessage.list(nests.subList(at, Math.min(nests.size(), at + 200))))));
    }

    /** A host with one interface and these addresses. */
    static Host host(List<String> addresses) {
        Link lo = link(1, "lo", Link.UP | Link.LOOPBACK | Link.RUNNING | Link.LOWER_UP);
        Link eth0 = link(2, "eth0", Link.UP | Link.RUNNING | Link.LOWER_UP);
        List<Address> all = new ArrayList<>();
        all.add(Address.of(1, Ip.parse("127.0.0.1"), 8));
        all.add(Address.of(1, Ip.parse("::1"), 128));
        for (String address : addresses) {
            Ip ip = Ip.parse(address);
            all.add(Address.of(2, ip, ip.family() == IpFamily.IPV4 ? 24 : 64));
        }
        return new Host(List.of(lo, eth0), all);
    }

    private static Link link(int index, String name, int flags) {
        Link plain = Link.of(name, LinkKind.plain());
        return new Link(
                index,
                name,
                plain.type(),
                flags,
                Optional.of(OperState.UP),
                plain.mtu(),
                plain.master(),
                plain.lower(),
                plain.mac(),
                plain.kind(),
                plain.others());
    }
}
