package io.dualstackd.agent.dns.io;

import io.dualstackd.admin.DnsReport;
import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.agent.dns.AnsweredClients;
import io.dualstackd.agent.dns.KubeDnsService;
import io.dualstackd.agent.dns.StoreZone;
import io.dualstackd.agent.reconcile.io.Wakeup;
import io.dualstackd.dns.ClientNetworks;
import io.dualstackd.dns.DnsFigures;
import io.dualstackd.dns.ServiceName;
import io.dualstackd.dns.ZoneSettings;
import io.dualstackd.dns.forward.ForwardSettings;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.dns.io.DnsServer;
import io.dualstackd.dns.io.DnsSupervision;
import io.dualstackd.dns.io.ServerSettings;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DNS server of the daemon. The thread {@code dns-zone} passes changed Services to it, opens and closes its addresses, follows the
 * resolvers for other names, and keeps the endpoints of the Service {@code kube-system/kube-dns}.
 */
public final class DnsComponent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dns");

    /** How long a request for figures waits for the thread {@code dns}. */
    private static final Duration FIGURES = Duration.ofSeconds(1);

    private final DnsSettings settings;
    private final Node node;
    private final Store store;
    private final Wakeup wakeup;
    private final Store.Cursor cursor;
    private final Supervisor.Row row;
    private final Supervisor supervisor;
    private final Worker worker;
    private final ResolverSource resolverSource;
    private volatile boolean closed;

    // Written by the thread dns-zone.
    private volatile @Nullable DnsServer server;
    private volatile @Nullable DnsListeners listeners;
    private volatile List<Nameserver> resolvers = List.of();
    private volatile List<String> notes = List.of();
    private volatile Optional<DnsFigures> lastFigures = Optional.empty();

    // Used by the thread dns-zone only, and before it starts.
    private Optional<ClientNetworks> clients = Optional.empty();
    private Map<ObjectKey, EndpointSlice> published = Map.of();
    private List<String> logged = List.of();

    /**
     * The node of the server.
     *
     * @param ns the network namespace whose addresses it listens on, and from which it asks other resolvers
     * @param ips the node's own IPs, as far as they are known
     * @param addresses all addresses of its interfaces
     * @param has whether the node has an address now, so that packets to it are delivered here
     * @param podNetworks networks of pods, as far as they are known
     * @param reverse networks in which addresses without a Service have no name
     * @param offersService whether the Service {@code kube-system/kube-dns} is the daemon's own
     */
    public record Node(
            String name,
            NetNs ns,
            Supplier<List<Ip>> ips,
            Supplier<List<Ip>> addresses,
            Predicate<Ip> has,
            Supplier<List<IpPrefix>> podNetworks,
            List<IpPrefix> reverse,
            BooleanSupplier offersService) {
        public Node {
            reverse = List.copyOf(reverse);
        }
    }

    private DnsComponent(DnsSettings settings, Node node, Store store, Supervisor supervisor) {
        this.settings = settings;
        this.node = node;
        this.store = store;
        this.supervisor = supervisor;
        this.resolverSource = new ResolverSource(settings.upstream());
        this.wakeup = new Wakeup(supervisor.platform(), () -> {});
        this.cursor = store.cursor(wakeup::signal);
        this.row = supervisor.heartbeat(Component.DNS);
        // Its thread begins with the server, which may have to be tried again.
        row.idle();
        this.worker = supervisor.worker(Component.DNS_ZONE, this::live);
    }

    /** Starts the server, on those of its addresses that can be had at once. Addresses that cannot be had are tried again and again; questions are answered once the store is complete. */
    public static DnsComponent start(DnsSettings settings, Node node, Store store, Supervisor supervisor) {
        DnsComponent component = new DnsComponent(settings, node, store, supervisor);
        try {
            // Before the source is read: the first rules have the endpoints, and a restart changes none.
            var _ = component.turn();
        } catch (IOException e) {
            LOG.error("DNS cannot start reason=\"{}\" next=retry", e.getMessage());
        } catch (RuntimeException e) {
            component.closeServer();
            throw e;
        }
        var _ = component.worker.start();
        return component;
    }

    /** Signals that the addresses or networks of the node may have changed. */
    public void wakeUp() {
        wakeup.signal();
    }

    private void live(Heartbeat heartbeat) throws IOException, InterruptedException {
        while (!closed) {
            heartbeat.beat();
            Duration longest = turn();
            boolean ignored = wakeup.await(heartbeat.atMost(longest));
        }
    }

    /** Configures the server as wanted; returns when to do so again at the latest. */
    private Duration turn() throws IOException {
        DnsServer open = open();
        DnsListeners its = listeners(open);
        ClientNetworks admitted =
                AnsweredClients.of(node.addresses().get(), node.podNetworks().get(), settings.clients());
        if (!clients.equals(Optional.of(admitted))) {
            open.clients(admitted);
            clients = Optional.of(admitted);
        }
        passChanges(open);
        List<String> now = new ArrayList<>();
        boolean moved = its.follow(wanted(now));
        List<Nameserver> others = resolverSource.read(clusterIps(), its.open(), now);
        if (moved || !others.equals(resolvers)) {
            LOG.info("resolvers for other names resolvers=\"{}\"", others);
            open.nameservers(others);
            resolvers = others;
        }
        publish(its.open());
        if (clusterIps().isEmpty() && store.isSynced()) {
            now.add("pods have no address for DNS: there is no Service " + KubeDnsService.KEY
                    + " with a cluster IP; give --dns-cluster-ips or --service-cluster-ip-range");
        } else if (store.isSynced() && !node.offersService().getAsBoolean() && !hasEndpoint()) {
            now.add("pods get no answer at "
                    + clusterIps().stream().map(Ip::toString).collect(Collectors.joining(", "))
                    + ": the manifests have a Service " + KubeDnsService.KEY
                    + ", which has no endpoint; delete it, or write EndpointSlices for it");
        }
        notes = List.copyOf(now);
        logProblems();
        Duration retry = its.retry();
        return retry.compareTo(ResolverSource.EVERY) < 0 ? retry : ResolverSource.EVERY;
    }

    private void passChanges(DnsServer open) {
        try {
            cursor.take().flatMap(StoreZone::change).ifPresent(open::apply);
        } catch (RuntimeException e) {
            LOG.error("names of Services cannot be passed on, please report it next=\"all of them again\"", e);
            cursor.again();
        }
    }

    /** Each once when it appears, and once when it is over; those of listeners are logged where they are opened. */
    private void logProblems() {
        List<String> now = report().otherProblems();
        now.stream()
                .filter(problem -> !logged.contains(problem))
                .forEach(problem -> LOG.warn("DNS does not work as it should reason=\"{}\"", problem));
        logged.stream()
                .filter(problem -> !now.contains(problem))
                .forEach(problem -> LOG.info("DNS works again reason=\"no longer: {}\"", problem));
        logged = now;
    }

    /** Kept from the first turn on, also when that fails later: they know which sockets are open. */
    private DnsListeners listeners(DnsServer open) {
        DnsListeners known = listeners;
        if (known != null) {
            return known;
        }
        DnsListeners fresh = new DnsListeners(open, node.ns(), node.has(), supervisor.platform());
        listeners = fresh;
        return fresh;
    }

    private DnsServer open() throws IOException {
        DnsServer known = server;
        if (known != null) {
            return known;
        }
        List<Ip> fixed = settings.listen().stream()
                .flatMap(place -> place instanceof DnsSettings.Listen.Address(IpPort where)
                        ? List.of(where.ip()).stream()
                        : List.<Ip>of().stream())
                .toList();
        ZoneSettings zone = new ZoneSettings(
                settings.domain(),
                (int) settings.ttl().toSeconds(),
                node.reverse(),
                new ServiceName(KubeDnsService.KEY.namespace(), KubeDnsService.KEY.name()),
                fixed,
                true);
        ServerSettings all = ServerSettings.defaults(List.of(), zone, ForwardSettings.defaults(List.of()));
        DnsServer fresh = DnsListeners.inNamespace(node.ns(), () -> DnsServer.open(all, new Supervision()));
        server = fresh;
        return fresh;
    }

    private List<IpPort> wanted(List<String> problems) {
        List<IpPort> wanted = new ArrayList<>();
        for (DnsSettings.Listen place : settings.listen()) {
            switch (place) {
                case DnsSettings.Listen.Address(IpPort where) -> wanted.add(where);
                case DnsSettings.Listen.NodeIps(int port) -> {
                    List<Ip> ips = node.ips().get();
                    ips.forEach(ip -> wanted.add(new IpPort(ip, port)));
                    if (ips.isEmpty()) {
                        problems.add("DNS questions are not received on the node's own IPs: it has none yet");
                    }
                }
            }
        }
        return wanted.stream().distinct().toList();
    }

    private List<Ip> clusterIps() {
        return store.service(KubeDnsService.KEY)
                .service()
                .map(Service::clusterIps)
                .orElse(List.of());
    }

    private boolean hasEndpoint() {
        return store.service(KubeDnsService.KEY).slices().stream()
                .flatMap(slice -> slice.endpoints().stream())
                .anyMatch(endpoint -> endpoint.conditions().ready().orElse(true));
    }

    /** Puts the endpoints into the store, if the Service is ours. */
    private void publish(List<IpPort> open) {
        Map<ObjectKey, EndpointSlice> wanted =
                node.offersService().getAsBoolean() ? KubeDnsService.slices(open, node.name()) : Map.of();
        if (wanted.equals(published)) {
            return;
        }
        List<Update> updates = new ArrayList<>();
        wanted.forEach((key, slice) -> {
            if (!slice.equals(published.get(key))) {
                updates.add(new Update.Put(slice));
            }
        });
        published.keySet().stream()
                .filter(key -> !wanted.containsKey(key))
                .forEach(key -> updates.add(new Update.Gone(key)));
        store.apply(updates);
        published = wanted;
    }

    /** The state of the server. May be called from any thread, except {@code dns}. */
    public DnsReport report() {
        DnsListeners its = listeners;
        return new DnsReport(
                settings.domain().toString().replaceFirst("\\.$", ""),
                its == null ? List.of() : its.report(),
                clusterIps(),
                resolvers.stream().map(Nameserver::toString).toList(),
                notes,
                figures());
    }

    /** The figures; the last ones when the thread is busy. */
    private Optional<DnsFigures> figures() {
        DnsServer open = server;
        if (open == null || closed) {
            return lastFigures;
        }
        try {
            lastFigures = Optional.of(open.figures().get(FIGURES.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            LOG.debug("no figures in time", e);
        }
        return lastFigures;
    }

    /** The thread {@code dns} as a component. */
    private final class Supervision implements DnsSupervision {
        @Override
        public void beat() {
            row.beat();
        }

        @Override
        public Duration every() {
            return row.longestWait();
        }

        /** Not at once: what failed may fail again. The next turn comes soon enough, {@link ResolverSource#EVERY}. */
        @Override
        public void incomplete() {
            cursor.again();
        }

        @Override
        public void failed(Error error) {
            supervisor.fatal().end("component " + Component.DNS + " failed", error);
        }
    }

    /** Ends both threads, and closes all sockets. */
    @Override
    public void close() {
        closed = true;
        worker.stop();
        wakeup.signal();
        worker.join();
        closeServer();
    }

    private void closeServer() {
        DnsServer open = server;
        if (open != null) {
            open.close();
        }
        row.close();
    }
}
