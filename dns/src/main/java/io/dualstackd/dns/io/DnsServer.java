package io.dualstackd.dns.io;

import io.dualstackd.dns.ClientNetworks;
import io.dualstackd.dns.DnsFigures;
import io.dualstackd.dns.Zone;
import io.dualstackd.dns.ZoneChange;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.forward.Shares;
import io.dualstackd.netlink.ip.Ip;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that answers DNS questions over UDP and TCP until it is closed. */
public final class DnsServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dns");

    /** The longest accepted query over TCP. */
    private static final int LARGEST_QUERY = 8_192;

    private static final int LENGTH_BYTES = 2;

    /** How many ports are tried to find one that is free for both TCP and UDP. */
    private static final int PORT_TRIES = 20;

    private final DnsLoop loop;
    private final DnsSupervision supervision;
    private final ServerSettings settings;
    private final LongSupplier nanos;
    private final Counters counters = new Counters();
    private final Zone zone;
    private final Forwarder forwarder;
    private final Responder responder;
    private final Shares<InetAddress> connections;
    /** Changes that the thread has not applied yet. */
    private final AtomicReference<@Nullable ZoneChange> pending = new AtomicReference<>();

    private final AdmittedClients clients = new AdmittedClients();
    /** Both sockets of each address; guarded by itself. */
    private final Map<InetSocketAddress, List<Channel>> sockets = new LinkedHashMap<>();

    private DnsServer(DnsLoop loop, DnsSupervision supervision, ServerSettings settings, LongSupplier nanos) {
        this.supervision = supervision;
        this.loop = loop;
        this.settings = settings;
        this.nanos = nanos;
        this.zone = new Zone(settings.zone());
        this.forwarder = new Forwarder(loop, settings.forward(), nanos, counters);
        this.responder = new Responder(zone, forwarder, counters);
        this.connections = new Shares<>(settings.connectionsPerClient(), settings.connections());
    }

    /**
     * Listens on all addresses, or on none.
     *
     * @throws IOException naming the address on which it cannot listen
     */
    public static DnsServer open(ServerSettings settings, DnsSupervision supervision) throws IOException {
        return open(settings, supervision, System::nanoTime);
    }

    /** As {@link #open(ServerSettings, DnsSupervision)}, with the clock for idle connections and cached answers. */
    static DnsServer open(ServerSettings settings, DnsSupervision supervision, LongSupplier nanos) throws IOException {
        DnsLoop loop = DnsLoop.open(supervision);
        boolean done = false;
        try {
            DnsServer server = new DnsServer(loop, supervision, settings, nanos);
            for (InetSocketAddress address : settings.listen()) {
                InetSocketAddress ignored = server.listen(address);
            }
            server.nameservers(settings.forward().nameservers());
            done = true;
            return server;
        } finally {
            if (!done) {
                loop.close();
            }
        }
    }

    /**
     * Listens on one more address, in the network namespace of the calling thread. Not to be called on the thread {@code dns}.
     *
     * @return the address with the port that was chosen
     * @throws IOException naming the address on which it cannot listen
     */
    public InetSocketAddress listen(InetSocketAddress address) throws IOException {
        ServerSettings.requireSpecific(address);
        for (int tries = 1; ; tries++) {
            Channel udp = bound(
                    loop.udpServer(address.getAddress(), settings.early())
                            .handler(new UdpHandler(loop, responder, clients, counters))
                            .bind(address),
                    "UDP",
                    address);
            InetSocketAddress chosen = (InetSocketAddress) udp.localAddress();
            InetSocketAddress same = new InetSocketAddress(address.getAddress(), chosen.getPort());
            try {
                Channel tcp = bound(
                        loop.tcpServer(address.getAddress(), settings.early())
                                .childHandler(new Connection())
                                .bind(same),
                        "TCP",
                        same);
                synchronized (sockets) {
                    sockets.put(same, List.of(udp, tcp));
                }
                return same;
            } catch (IOException e) {
                udp.close().awaitUninterruptibly();
                if (address.getPort() != 0 || tries == PORT_TRIES) {
                    throw e;
                }
            }
        }
    }

    private Channel bound(ChannelFuture binding, String protocol, InetSocketAddress address) throws IOException {
        binding.awaitUninterruptibly();
        Throwable cause = binding.cause();
        if (cause != null) {
            throw new IOException(
                    "cannot listen for DNS on " + protocol + " "
                            + address.getAddress().getHostAddress() + " port " + address.getPort() + ": "
                            + cause.getMessage(),
                    cause);
        }
        loop.own(binding.channel());
        return binding.channel();
    }

    private final class Connection extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline()
                    .addLast(
                            new LengthFieldBasedFrameDecoder(
                                    LARGEST_QUERY + LENGTH_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES),
                            new TcpHandler(loop, responder, clients, connections, settings.idle(), nanos, counters));
        }
    }

    /** The addresses it listens on, with the ports that were chosen. */
    public List<InetSocketAddress> addresses() {
        synchronized (sockets) {
            return List.copyOf(sockets.keySet());
        }
    }

    /** Stops to listen on an address; connections that are open stay. Not to be called on the thread {@code dns}. */
    public void unlisten(InetSocketAddress address) {
        List<Channel> both;
        synchronized (sockets) {
            both = sockets.getOrDefault(address, List.of());
            sockets.remove(address);
        }
        both.forEach(channel -> channel.close().awaitUninterruptibly());
    }

    /** Replaces the clients that are answered, at first all, asynchronously. May be called from any thread. */
    public void clients(ClientNetworks admitted) {
        loop.execute(() -> clients.replace(admitted));
    }

    /**
     * Changes the names, asynchronously and in the order of the calls. May be called from any thread. Changes that come faster than they are
     * applied become one, so what waits is never more than all Services.
     */
    public void apply(ZoneChange change) {
        ZoneChange before =
                pending.getAndAccumulate(change, (waiting, more) -> waiting == null ? more : waiting.then(more));
        if (before == null) {
            loop.execute(this::applyPending);
        }
    }

    private void applyPending() {
        ZoneChange change = pending.getAndSet(null);
        if (change != null) {
            try {
                zone.apply(change, System.currentTimeMillis() / 1_000);
            } catch (RuntimeException e) {
                supervision.incomplete();
                throw e;
            }
        }
    }

    /**
     * Replaces the resolvers for other names, asynchronously. May be called from any thread. Resolvers that are this server itself are left
     * out.
     */
    public void nameservers(List<Nameserver> nameservers) {
        List<Nameserver> others =
                nameservers.stream().filter(each -> !isOurs(each)).toList();
        if (others.size() < nameservers.size()) {
            LOG.warn(
                    "this server itself is given as a resolver to ask resolvers=\"{}\" next=leave-it-out", nameservers);
        }
        loop.execute(() -> forwarder.nameservers(others));
    }

    private boolean isOurs(Nameserver nameserver) {
        return addresses().stream()
                .anyMatch(own -> own.getPort() == nameserver.port()
                        && Ip.ofBytes(own.getAddress().getAddress()).equals(nameserver.address()));
    }

    /** Requests the figures from the thread, which returns them asynchronously. */
    public CompletableFuture<DnsFigures> figures() {
        CompletableFuture<DnsFigures> figures = new CompletableFuture<>();
        loop.execute(() -> figures.complete(new DnsFigures(
                counters.udpQueries,
                counters.tcpQueries,
                counters.ignored,
                counters.foreign,
                counters.refused,
                counters.forwarded,
                counters.cached,
                counters.overLimit,
                counters.failed,
                counters.truncated,
                counters.dropped,
                counters.answers(),
                counters.errors,
                zone.size(),
                forwarder.remembered(),
                forwarder.rememberedBytes(),
                forwarder.waiting(),
                forwarder.isSilent(),
                connections.taken())));
        return figures;
    }

    /** Closes all sockets and ends the thread. */
    @Override
    public void close() {
        loop.close();
    }
}
