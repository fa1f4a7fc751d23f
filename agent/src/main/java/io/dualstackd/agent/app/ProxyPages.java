package io.dualstackd.agent.app;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.top.Traffic;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.counters.io.NfacctCounters;
import io.dualstackd.dataplane.rules.iptables.PacketCounters;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pages.health.Check;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.HttpRequest;
import io.dualstackd.pages.health.InfoPages;
import io.dualstackd.pages.health.Pages;
import io.dualstackd.pages.health.ShownConfig;
import io.dualstackd.pages.health.io.HealthState;
import io.dualstackd.pages.metrics.Exposition;
import io.dualstackd.pages.metrics.FamilyMeter;
import io.dualstackd.pages.metrics.Metrics;
import io.dualstackd.pages.metrics.Scrape;
import io.dualstackd.pages.metrics.ServiceMetrics;
import io.dualstackd.pages.metrics.SliMetrics;
import io.dualstackd.pages.metrics.TotalsSinceStart;
import io.dualstackd.pages.metrics.io.OwnProcess;
import io.dualstackd.supervision.ComponentState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pages that the daemon serves over HTTP, and the source of each. Pages are made one at a time on the thread of the HTTP loop, those
 * that need counters of the kernel or the whole status one at a time on another one: they take long, and load balancers do not wait for them.
 */
final class ProxyPages {
    private static final Logger LOG = LoggerFactory.getLogger("metrics");

    /** The taint that the autoscaler puts on nodes it is about to remove. */
    private static final String LEAVING = "ToBeDeletedByClusterAutoscaler";

    private final ServiceMetrics serviceMetrics = new ServiceMetrics();
    private final TotalsSinceStart totals = new TotalsSinceStart();
    private final DaemonSettings settings;
    private final Store store;
    private final HealthState board;
    private final List<FamilyMeter> meters;
    private final List<ConnectionCounts> counts;
    private final ObjectSource source;
    private final Supplier<List<ComponentState>> components;
    private final UnaryOperator<Optional<Node>> lastKnown;
    private final SliMetrics slis = new SliMetrics();
    private final Map<Integer, Long> healthzAnswers = new ConcurrentSkipListMap<>();
    private final Map<Integer, Long> livezAnswers = new ConcurrentSkipListMap<>();
    private final Pages metricsPages;

    private volatile Supplier<Optional<StatusReport>> report = Optional::empty;
    private volatile Supplier<Optional<Traffic>> traffic = Optional::empty;
    private volatile Optional<ShownConfig> config = Optional.empty();

    /**
     * @param meters of the families that have a reconciler
     * @param counts of the families whose connections are counted
     * @param source also has the figures about the API server and the statuses of pods
     * @param lastKnown the last known Node object where there is none
     */
    ProxyPages(
            DaemonSettings settings,
            Store store,
            HealthState board,
            List<FamilyMeter> meters,
            List<ConnectionCounts> counts,
            ObjectSource source,
            Supplier<List<ComponentState>> components,
            UnaryOperator<Optional<Node>> lastKnown) {
        this.settings = settings;
        this.store = store;
        this.board = board;
        this.meters = meters;
        this.counts = counts;
        this.source = source;
        this.components = components;
        this.lastKnown = lastKnown;
        this.metricsPages = pages();
    }

    /** Sets where most figures come from; until then there are none. */
    void reports(Supplier<StatusReport> report) {
        this.report = () -> Optional.of(report.get());
    }

    /** Sets where connections by Service come from; until then, and in modes that do not count them, there is no such page. */
    void traffic(Supplier<Traffic> source) {
        this.traffic = () -> connections().isEmpty() ? Optional.empty() : Optional.of(source.get());
    }

    /** Sets what {@code /configz} and {@code /flagz} show from now on. */
    void shows(ShownConfig now) {
        config = Optional.of(now);
    }

    /** The pages for load balancers and supervisors. */
    Pages healthz() {
        Map<String, Function<HttpRequest, HttpAnswer>> pages = new LinkedHashMap<>();
        pages.put("/healthz", request -> counted(healthzAnswers, board.health().healthz(board.now(), isEligible())));
        pages.put(
                "/livez",
                request -> counted(
                        livezAnswers,
                        board.health().livez(board.now(), overdue().isEmpty())));
        // Also here: a kubelet asks at the node's address, and that of the metrics is a loopback address of either
        // family.
        checks(pages, "readyz", this::ready);
        return new Pages(pages);
    }

    /** The pages for monitoring. */
    Pages metrics() {
        return metricsPages;
    }

    private Pages pages() {
        Map<String, Function<HttpRequest, HttpAnswer>> pages = new LinkedHashMap<>();
        pages.put("/metrics", this::metrics);
        pages.put("/metrics/slis", this::slis);
        pages.put("/metrics/services", this::services);
        pages.put("/proxyMode", request -> HttpAnswer.text(200, settings.mode().toString()));
        checks(pages, "healthz", () -> List.of(Check.PING, new Check("components", overdue())));
        checks(pages, "livez", this::alive);
        checks(pages, "readyz", this::ready);
        pages.put(
                "/configz",
                request -> config.map(shown -> HttpAnswer.json(200, shown.configz()))
                        .orElse(HttpAnswer.NOT_FOUND));
        pages.put(
                "/flagz",
                request -> config.map(shown -> InfoPages.flagz(shown.flags())).orElse(HttpAnswer.NOT_FOUND));
        pages.put("/statusz", request -> statusz());
        return new Pages(pages, Set.of("/metrics", "/metrics/services", "/statusz"));
    }

    private void checks(
            Map<String, Function<HttpRequest, HttpAnswer>> pages, String name, Supplier<List<Check>> checks) {
        Function<HttpRequest, HttpAnswer> page = request -> {
            List<Check> now = checks.get();
            slis.note(name, now);
            return Check.page(name, now, request);
        };
        pages.put("/" + name, page);
        pages.put("/" + name + "/", page);
    }

    private static HttpAnswer counted(Map<Integer, Long> counts, HttpAnswer answer) {
        counts.merge(answer.status(), 1L, Long::sum);
        return answer;
    }

    private HttpAnswer metrics(HttpRequest request) {
        Exposition format = Exposition.accepted(request.accept());
        return HttpAnswer.of(
                200,
                format.contentType(),
                report.get().map(now -> Metrics.text(scrape(now), format)).orElse(""));
    }

    private Scrape scrape(StatusReport now) {
        return new Scrape(
                now,
                meters,
                board.waits(),
                connections(),
                packets(),
                healthzAnswers,
                livezAnswers,
                store.dualStackServices(),
                store.oneSidedServices(),
                OwnProcess.figures(),
                source.server(),
                source.podIps());
    }

    /** The counts of this process by family; a family that cannot be read now is left out. */
    private Map<IpFamily, Attempts> connections() {
        Map<IpFamily, Attempts> attempts = new EnumMap<>(IpFamily.class);
        for (ConnectionCounts each : counts) {
            Optional<String> failed = each.refresh();
            if (failed.isPresent()) {
                LOG.warn("counters cannot be read family={} error={}", each.family(), failed.get());
            } else {
                attempts.put(each.family(), totals.after(each.family(), each.total()));
            }
        }
        return attempts;
    }

    /** The counts at named objects of the kernel; none where there are no such objects. */
    private Map<PacketCounters, Long> packets() {
        if (!settings.node().nfacct()) {
            return Map.of();
        }
        try {
            return new NfacctCounters(NetlinkSockets.of(settings.ns())).read();
        } catch (NetlinkException e) {
            LOG.warn("nfacct objects cannot be read error={}", e.getMessage());
            return Map.of();
        }
    }

    private HttpAnswer services(HttpRequest request) {
        Exposition format = Exposition.accepted(request.accept());
        return traffic.get()
                .map(now -> HttpAnswer.of(200, format.contentType(), serviceMetrics.text(now, format)))
                .orElse(HttpAnswer.NOT_FOUND);
    }

    private HttpAnswer slis(HttpRequest request) {
        // A client that reads only this page needs the current results, not those of the last request for the checks.
        slis.note("livez", alive());
        slis.note("readyz", ready());
        Exposition format = Exposition.accepted(request.accept());
        return HttpAnswer.of(200, format.contentType(), slis.text(format));
    }

    /** The checks whose failure a restart may fix. */
    private List<Check> alive() {
        Instant now = board.now();
        List<Check> checks = new ArrayList<>(List.of(Check.PING));
        for (IpFamily family : families()) {
            boolean healthy =
                    board.health().family(family).isHealthy(now, board.health().timeout());
            checks.add(new Check(
                    name(family),
                    healthy ? Optional.empty() : Optional.of("a change has been waiting too long to be applied")));
        }
        checks.add(new Check("components", overdue()));
        return checks;
    }

    private Optional<String> overdue() {
        String overdue = components.get().stream()
                .filter(ComponentState::isFatal)
                .map(state -> state.component() + " has been silent for "
                        + state.age().toSeconds() + " s")
                .collect(Collectors.joining(", "));
        return overdue.isEmpty() ? Optional.empty() : Optional.of(overdue);
    }

    /** The checks that all pass once the node can serve. */
    private List<Check> ready() {
        Instant now = board.now();
        List<Check> checks = new ArrayList<>(List.of(Check.PING));
        checks.add(new Check(
                "sources",
                store.isSynced() ? Optional.empty() : Optional.of("the source of Services is still being read")));
        for (IpFamily family : families()) {
            var health = board.health().family(family);
            checks.add(new Check(
                    name(family),
                    health.isReady(now, board.health().timeout())
                            ? Optional.empty()
                            : Optional.of(
                                    health.lastUpdated().isEmpty()
                                            ? "the rules are not in force yet"
                                            : "a change has been waiting too long to be applied")));
        }
        return checks;
    }

    private List<IpFamily> families() {
        return meters.stream().map(FamilyMeter::family).toList();
    }

    private static String name(IpFamily family) {
        return family.toString().toLowerCase(Locale.ROOT) + "-rules";
    }

    /**
     * Whether load balancers may use the node. One whose object was deleted is as it was last: kubelet registers it again. Without an API server a Node object need not exist, and its absence is no obstacle. While an API
     * server is down at a restart, the rules that the former process left serve as before.
     */
    private boolean isEligible() {
        Optional<Node> node = lastKnown.apply(store.node(settings.node().name()));
        return node.map(object -> !object.deleting() && !object.taints().contains(LEAVING))
                .orElseGet(() -> switch (settings.source()) {
                    case SourceSettings.Folder ignored -> true;
                    case SourceSettings.Cluster ignored ->
                        !store.isSynced() && store.size().services() > 0;
                });
    }

    private HttpAnswer statusz() {
        Optional<StatusReport> now = report.get();
        Map<String, String> facts = new LinkedHashMap<>();
        now.ifPresent(known -> {
            facts.put("Binary version", known.version());
            facts.put("Java version", Runtime.version().toString());
            facts.put("Node", known.node());
            facts.put("Source", known.source().kind() + " " + known.source().place());
            known.families()
                    .forEach(family -> facts.put(
                            family.family().toString(),
                            family.phase() + " " + family.mode() + " services="
                                    + family.objects().services()));
        });
        return InfoPages.statusz(
                now.map(StatusReport::startedAt).orElse(Instant.now()), Instant.now(), facts, metricsPages.paths());
    }
}
