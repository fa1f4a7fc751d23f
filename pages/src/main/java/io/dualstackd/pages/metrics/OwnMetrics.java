package io.dualstackd.pages.metrics;

import static io.dualstackd.pages.metrics.ProxyMetrics.FAMILIES;
import static io.dualstackd.pages.metrics.ProxyMetrics.METERS;

import io.dualstackd.admin.DnsReport;
import io.dualstackd.admin.Health;
import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.StatusReport.Phase;
import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dns.DnsFigures;
import io.dualstackd.kubeapi.client.ClusterStatus;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.node.report.PodIpFigures;
import io.dualstackd.pages.metrics.MetricSource.Labelled;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The metrics that only dualstackd has: {@code dualstackd_*}. */
final class OwnMetrics {
    private static final MetricSource<Scrape, StatusReport> REPORT = MetricSource.one(Scrape::report);
    private static final MetricSource<Scrape, ComponentState> COMPONENTS =
            MetricSource.by("component", scrape -> scrape.report().components().stream(), ComponentState::component);
    private static final MetricSource<Scrape, ServerFigures> SERVER = MetricSource.maybe(Scrape::server);
    private static final MetricSource<Scrape, ClusterStatus.Followed> RESOURCES = MetricSource.by(
            "resource",
            scrape -> scrape.server().stream().flatMap(server -> server.resources().stream()),
            ClusterStatus.Followed::name);
    private static final MetricSource<Scrape, StatusReport.ContainerRuntime> RUNTIME =
            MetricSource.maybe(scrape -> scrape.report().runtime());
    private static final MetricSource<Scrape, DnsReport> DNS =
            MetricSource.maybe(scrape -> scrape.report().dns());
    private static final MetricSource<Scrape, DnsFigures> DNS_FIGURES =
            MetricSource.maybe(scrape -> scrape.report().dns().flatMap(DnsReport::figures));
    private static final MetricSource<Scrape, Map.Entry<IpFamily, Duration>> WAITS = MetricSource.by(
            "ip_family",
            (Scrape scrape) -> scrape.waits().entrySet().stream().sorted(Map.Entry.comparingByKey()),
            (Map.Entry<IpFamily, Duration> entry) -> entry.getKey());
    private static final MetricSource<Scrape, Map.Entry<IpFamily, Attempts>> CONNECTIONS = MetricSource.by(
            "ip_family",
            (Scrape scrape) -> scrape.connections().entrySet().stream().sorted(Map.Entry.comparingByKey()),
            (Map.Entry<IpFamily, Attempts> entry) -> entry.getKey());
    private static final MetricSource<Scrape, PodIpFigures> POD_IPS = MetricSource.maybe(Scrape::podIps);

    static final List<Metric<Scrape>> TABLE = List.of(
            MetricSource.labelled(List.of("mode", "version"), OwnMetrics::build)
                    .gauge("dualstackd_build_info", "1, labelled with the version and the proxy mode", Labelled::value),
            MetricSource.labelled(List.of("reason"), OwnMetrics::reasons)
                    .gauge(
                            "dualstackd_degraded",
                            "1 for each reason why the daemon is degraded or failed, 0 for all other possible reasons",
                            r -> truth(r.value())),
            COMPONENTS.gauge(
                    "dualstackd_component_age_seconds",
                    "Time since the last heartbeat of the component",
                    c -> seconds(c.age())),
            COMPONENTS.gauge(
                    "dualstackd_component_overdue",
                    "1 while the component sends no heartbeat within its deadline",
                    c -> truth(c.overdue())),
            COMPONENTS.counter(
                    "dualstackd_component_restarts_total",
                    "Restarts of the component after a failure",
                    c -> c.restarts()),
            FAMILIES.gauge(
                    "dualstackd_family_ready",
                    "1 while the rules of the IP family are in force",
                    f -> truth(f.phase() == Phase.READY)),
            WAITS.gauge(
                    "dualstackd_oldest_change_age_seconds",
                    "Time that the oldest change has waited to be in force; 0 while no change waits",
                    w -> seconds(w.getValue())),
            FAMILIES.gauge(
                    "dualstackd_services",
                    "Services with an address of the IP family",
                    f -> f.objects().services()),
            FAMILIES.gauge(
                    "dualstackd_service_ports",
                    "Ports of Services with an address of the IP family",
                    f -> f.objects().servicePorts()),
            FAMILIES.gauge(
                    "dualstackd_endpoints",
                    "Endpoints that receive traffic, counted once per Service port",
                    f -> f.objects().endpoints()),
            MetricSource.<Scrape, Scrape>one(scrape -> scrape)
                    .gauge(
                            "dualstackd_services_dual_stack",
                            "Services with both IP families, including headless Services",
                            Scrape::dualStackServices),
            MetricSource.<Scrape, Map.Entry<IpFamily, Integer>>by(
                            "ip_family",
                            scrape -> scrape.oneSidedServices().entrySet().stream()
                                    .filter(entry -> scrape.serves(entry.getKey()))
                                    .sorted(Map.Entry.comparingByKey()),
                            Map.Entry::getKey)
                    .gauge(
                            "dualstackd_services_one_sided",
                            "Services with both IP families that have ready endpoints, but none of this IP family",
                            Map.Entry::getValue),
            CONNECTIONS.counter(
                    "dualstackd_connections_total",
                    "Connections to Services with an endpoint somewhere, by their first packet",
                    c -> c.getValue().connections()),
            CONNECTIONS.counter(
                    "dualstackd_connections_refused_total",
                    "Attempts to connect rejected because the Service has no endpoint",
                    c -> c.getValue().refused()),
            CONNECTIONS.counter(
                    "dualstackd_connections_dropped_total",
                    "Attempts to connect dropped because the policy Local leaves no endpoint on this node, or by source ranges",
                    c -> c.getValue().dropped()),
            FAMILIES.gauge(
                    "dualstackd_chains",
                    "Chains of dualstackd in the kernel",
                    f -> f.objects().chains()),
            FAMILIES.gauge(
                    "dualstackd_rules",
                    "Rules of dualstackd in the kernel",
                    f -> f.objects().rules()),
            FAMILIES.gauge(
                    "dualstackd_contested",
                    "1 while another program changes the rules again and again",
                    f -> truth(f.contest().isPresent())),
            REPORT.gauge(
                    "dualstackd_health_ports_closed",
                    "Ports for health checks and metrics that cannot be opened",
                    r -> r.closedHealthPorts().size()),
            FAMILIES.counter(
                    "dualstackd_transactions_total",
                    "Transactions accepted by the kernel",
                    f -> f.totals().transactions()),
            FAMILIES.counter(
                    "dualstackd_transactions_refused_total",
                    "Transactions refused by the kernel",
                    f -> f.totals().refused()),
            FAMILIES.counter(
                    "dualstackd_repairs_total",
                    "Repairs of rules that another program had changed",
                    f -> f.totals().repairs()),
            FAMILIES.counter(
                    "dualstackd_netlink_messages_total",
                    "Netlink messages sent in transactions",
                    f -> f.totals().messages()),
            FAMILIES.counter(
                    "dualstackd_netlink_bytes_total",
                    "Bytes sent in transactions",
                    f -> f.totals().bytes()),
            FAMILIES.counter(
                    "dualstackd_conntrack_deleted_total",
                    "Conntrack entries deleted because their endpoint no longer serves",
                    f -> f.totals().staleFlows()),
            FAMILIES.gauge(
                    "dualstackd_last_transaction_seconds",
                    "Duration of the last transaction, from the start of its preparation to the kernel's answer",
                    f -> f.last().map(last -> seconds(last.took())).orElse(0.0)),
            METERS.histogram(
                    "dualstackd_change_seconds",
                    "Time from the arrival of a change until it is in force; of each sync, the oldest change counts",
                    m -> m.changes),
            METERS.histogram(
                    "dualstackd_kernel_transaction_seconds",
                    "Time the kernel needed for a transaction",
                    m -> m.transactions),
            REPORT.gauge(
                    "dualstackd_source_synced",
                    "1 after the source of Services was read completely",
                    r -> truth(r.source().synced())),
            REPORT.gauge(
                    "dualstackd_source_up",
                    "1 while changes are received from the source of Services",
                    r -> truth(r.source().error().isEmpty())),
            REPORT.gauge(
                    "dualstackd_source_problems",
                    "Problems with objects of the source",
                    r -> r.problems().size()),
            SERVER.gauge(
                    "dualstackd_apiserver_up", "1 while changes are received from the API server", s -> truth(s.up())),
            SERVER.gauge(
                    "dualstackd_apiserver_outage_seconds",
                    "Time since changes from the API server stopped; 0 while they are received",
                    s -> seconds(s.outage())),
            MetricSource.<Scrape, Duration>maybe(scrape -> scrape.server()
                            .flatMap(server -> scrape.report().source().lastContact()))
                    .gauge(
                            "dualstackd_apiserver_last_contact_age_seconds",
                            "Time since the API server last sent anything; absent before the first contact",
                            OwnMetrics::seconds),
            RESOURCES.gauge("dualstackd_apiserver_objects", "Objects followed", r -> r.objects()),
            RESOURCES.gauge(
                    "dualstackd_apiserver_unreadable",
                    "Objects that cannot be used",
                    r -> r.unreadable().size()),
            RESOURCES.counter("dualstackd_apiserver_events_total", "Changes received from watches", r -> r.events()),
            RESOURCES.counter("dualstackd_apiserver_lists_total", "Complete lists received", r -> r.lists()),
            RUNTIME.gauge(
                    "dualstackd_runtime_up",
                    "1 while the container runtime answers",
                    r -> truth(
                            r.state().outage().isEmpty() && r.state().listed().isPresent())),
            RUNTIME.gauge("dualstackd_pods", "Pods on this node, including dead ones", r -> r.pods()),
            RUNTIME.gauge("dualstackd_pods_alive", "Live pods on this node", r -> r.alive()),
            MetricSource.labelled(List.of("ip_family"), OwnMetrics::addressed)
                    .gauge(
                            "dualstackd_pods_addressed",
                            "Live pods on this node with an address of the IP family",
                            Labelled::value),
            RUNTIME.gauge(
                    "dualstackd_pods_dual_stack",
                    "Live pods on this node with addresses of both IP families",
                    r -> r.families().both()),
            RUNTIME.gauge(
                    "dualstackd_hidden_endpoints",
                    "Endpoints of dead local pods that the source still lists; they receive no traffic",
                    r -> r.hidden()),
            RUNTIME.counter(
                    "dualstackd_local_failovers_total",
                    "Addresses of local pods that were found dead while the source listed them as ready",
                    r -> r.failovers()),
            DNS.gauge(
                    "dualstackd_dns_listeners_closed",
                    "Addresses of --dns-listen on which DNS questions are not received",
                    d -> d.listeners().stream()
                            .filter(listener -> listener.error().isPresent())
                            .count()),
            MetricSource.labelled(List.of("proto"), OwnMetrics::dnsQueries)
                    .counter("dualstackd_dns_requests_total", "DNS messages received", Labelled::value),
            MetricSource.labelled(List.of("rcode"), OwnMetrics::dnsAnswers)
                    .counter("dualstackd_dns_responses_total", "DNS answers sent, by their code", Labelled::value),
            DNS_FIGURES.counter(
                    "dualstackd_dns_foreign_total",
                    "DNS messages and connections of clients that are not answered",
                    DnsFigures::foreign),
            DNS_FIGURES.counter(
                    "dualstackd_dns_ignored_total",
                    "DNS messages that were not answered because they are none",
                    DnsFigures::ignored),
            DNS_FIGURES.counter(
                    "dualstackd_dns_truncated_total",
                    "DNS answers over UDP that were truncated",
                    DnsFigures::truncated),
            DNS_FIGURES.counter(
                    "dualstackd_dns_dropped_total",
                    "DNS answers lost because a client or the kernel did not take them",
                    DnsFigures::dropped),
            DNS_FIGURES.counter(
                    "dualstackd_dns_errors_total", "DNS questions not answered because of a bug", DnsFigures::errors),
            DNS_FIGURES.counter(
                    "dualstackd_dns_forwards_total", "DNS questions asked of other resolvers", DnsFigures::forwarded),
            DNS_FIGURES.counter(
                    "dualstackd_dns_forward_failures_total",
                    "DNS questions that no other resolver answered",
                    DnsFigures::failed),
            DNS_FIGURES.counter(
                    "dualstackd_dns_over_limit_total",
                    "DNS questions and connections rejected because too many were under way",
                    DnsFigures::overLimit),
            DNS_FIGURES.counter(
                    "dualstackd_dns_cache_hits_total",
                    "DNS questions answered from remembered answers of other resolvers",
                    DnsFigures::cached),
            DNS_FIGURES.gauge(
                    "dualstackd_dns_cache_entries", "Remembered answers of other resolvers", DnsFigures::remembered),
            DNS_FIGURES.gauge(
                    "dualstackd_dns_cache_bytes",
                    "Approximate size of the remembered answers",
                    DnsFigures::rememberedBytes),
            DNS_FIGURES.gauge(
                    "dualstackd_dns_forwards_underway",
                    "DNS questions that wait for other resolvers",
                    DnsFigures::underway),
            DNS_FIGURES.gauge(
                    "dualstackd_dns_resolvers_silent",
                    "1 while none of the other resolvers answers",
                    f -> truth(f.resolversSilent())),
            DNS_FIGURES.gauge("dualstackd_dns_connections", "Open DNS connections over TCP", DnsFigures::connections),
            DNS_FIGURES.gauge("dualstackd_dns_services", "Services that have names in DNS", DnsFigures::services),
            POD_IPS.gauge(
                    "dualstackd_pod_status_compared",
                    "Pods on this node whose status was compared with the container runtime",
                    PodIpFigures::compared),
            MetricSource.labelled(List.of("field"), OwnMetrics::wrong)
                    .gauge(
                            "dualstackd_pod_status_wrong",
                            "Pods on this node whose status has differed from the container runtime for some time",
                            Labelled::value),
            POD_IPS.counter("dualstackd_pod_status_corrected_total", "Pod statuses corrected", PodIpFigures::corrected),
            POD_IPS.counter(
                    "dualstackd_pod_status_refused_total",
                    "Corrections of pod statuses refused by the API server",
                    PodIpFigures::refused));

    private OwnMetrics() {}

    private static Stream<Labelled<Integer>> build(Scrape scrape) {
        return Stream.of(new Labelled<>(1, scrape.mode(), scrape.report().version()));
    }

    private static Stream<Labelled<Boolean>> reasons(Scrape scrape) {
        Set<Health.Kind> wrong = scrape.report().health().reasons().stream()
                .map(Health.Reason::kind)
                .collect(Collectors.toSet());
        return Stream.of(Health.Kind.values()).map(kind -> new Labelled<>(wrong.contains(kind), kind.toString()));
    }

    private static Stream<Labelled<Long>> dnsQueries(Scrape scrape) {
        return DNS_FIGURES
                .objects()
                .apply(scrape)
                .flatMap(figures -> Stream.of(
                        new Labelled<>(figures.udpQueries(), "udp"), new Labelled<>(figures.tcpQueries(), "tcp")));
    }

    private static Stream<Labelled<Long>> dnsAnswers(Scrape scrape) {
        return DNS_FIGURES
                .objects()
                .apply(scrape)
                .flatMap(figures -> new TreeMap<>(figures.answers())
                        .entrySet().stream().map(code -> new Labelled<>(code.getValue(), code.getKey())));
    }

    private static Stream<Labelled<Integer>> addressed(Scrape scrape) {
        return scrape.report().runtime().stream()
                .map(StatusReport.ContainerRuntime::families)
                .flatMap(pods -> Stream.of(new Labelled<>(pods.ipv4(), "IPv4"), new Labelled<>(pods.ipv6(), "IPv6")));
    }

    private static Stream<Labelled<Integer>> wrong(Scrape scrape) {
        return scrape.podIps().stream()
                .flatMap(pods -> Stream.of(
                        new Labelled<>(pods.podIpsDiffer(), "podIPs"),
                        new Labelled<>(pods.hostIpsDiffer(), "hostIPs")));
    }

    private static int truth(boolean holds) {
        return holds ? 1 : 0;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
