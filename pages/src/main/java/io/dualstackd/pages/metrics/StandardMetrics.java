package io.dualstackd.pages.metrics;

import io.dualstackd.pages.metrics.MetricSource.Labelled;
import io.dualstackd.standalone.allocation.AddressPool;
import io.dualstackd.standalone.ledger.LedgerFigures;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Metrics that dashboards know from elsewhere: those of this process under the names that all client libraries of Prometheus use, requests
 * under those of client-go, and allocators under those of an API server.
 */
final class StandardMetrics {
    /** 2⁶⁴ as a double. */
    private static final double UNSIGNED = 0x1p64;

    private static final MetricSource<Scrape, ProcessFigures> PROCESS = MetricSource.maybe(Scrape::process);
    private static final MetricSource<Scrape, ProcessFigures> HEAP =
            MetricSource.by("area", scrape -> scrape.process().stream(), process -> "heap");
    private static final MetricSource<Scrape, LedgerFigures> LEDGER =
            MetricSource.maybe(scrape -> scrape.report().ledger());
    private static final MetricSource<Scrape, AddressPool.Fill> NETWORKS = MetricSource.by(
            "cidr",
            scrape -> scrape.report().ledger().stream().flatMap(ledger -> ledger.networks().stream()),
            AddressPool.Fill::network);

    static final List<Metric<Scrape>> TABLE = List.of(
            PROCESS.counter("process_cpu_seconds_total", "CPU time of all threads", ProcessFigures::cpuSeconds),
            PROCESS.gauge("process_start_time_seconds", "Start time of the process", ProcessFigures::startedAt),
            PROCESS.gauge("process_resident_memory_bytes", "Resident memory", ProcessFigures::residentBytes),
            PROCESS.gauge("process_virtual_memory_bytes", "Virtual memory", ProcessFigures::virtualBytes),
            PROCESS.gauge("process_open_fds", "Open file descriptors", ProcessFigures::openFds),
            PROCESS.gauge("process_max_fds", "Maximum number of open file descriptors", ProcessFigures::maxFds),
            PROCESS.gauge(
                    "jvm_threads_current",
                    "Threads of the process, including those of the JVM",
                    ProcessFigures::threads),
            HEAP.gauge("jvm_memory_used_bytes", "Memory in use, including garbage", ProcessFigures::heapUsed),
            HEAP.gauge("jvm_memory_committed_bytes", "Current size of the heap", ProcessFigures::heapCommitted),
            HEAP.gauge("jvm_memory_max_bytes", "Maximum size of the heap", ProcessFigures::heapMax),
            MetricSource.by("version", (Scrape scrape) -> scrape.process().stream(), ProcessFigures::java)
                    .gauge("jvm_runtime_info", "1, labelled with the version of the JVM", p -> 1),
            MetricSource.labelled(List.of("git_version", "major", "minor"), StandardMetrics::kubernetesBuild)
                    .gauge(
                            "kubernetes_build_info",
                            "1, labelled with the version, as every component of Kubernetes has it",
                            Labelled::value),
            MetricSource.labelled(List.of("code", "host", "method"), StandardMetrics::requests)
                    .counter(
                            "rest_client_requests_total",
                            "Requests to the API server; a watch counts when it begins",
                            Labelled::value),
            MetricSource.labelled(List.of("host", "verb"), StandardMetrics::latencies)
                    .histogram(
                            "rest_client_request_duration_seconds",
                            "Time from a request to the end of its response; watches are not included",
                            Labelled::value),
            NETWORKS.gauge(
                    "kube_apiserver_clusterip_allocator_allocated_ips", "Cluster IPs in use", n -> unsigned(n.used())),
            NETWORKS.gauge(
                    "kube_apiserver_clusterip_allocator_available_ips",
                    "Cluster IPs that are free",
                    n -> unsigned(n.free())),
            addresses(true)
                    .counter(
                            "kube_apiserver_clusterip_allocator_allocation_total",
                            "Cluster IPs allocated",
                            Labelled::value),
            addresses(false)
                    .counter(
                            "kube_apiserver_clusterip_allocator_allocation_errors_total",
                            "Requests for a cluster IP that failed",
                            Labelled::value),
            LEDGER.gauge(
                    "kube_apiserver_nodeport_allocator_allocated_ports", "Node ports in use", LedgerFigures::usedPorts),
            LEDGER.gauge(
                    "kube_apiserver_nodeport_allocator_available_ports",
                    "Node ports that are free",
                    LedgerFigures::freePorts),
            ports(true)
                    .counter(
                            "kube_apiserver_nodeport_allocator_allocation_total",
                            "Node ports allocated",
                            Labelled::value),
            ports(false)
                    .counter(
                            "kube_apiserver_nodeport_allocator_allocation_errors_total",
                            "Requests for a node port that failed",
                            Labelled::value));

    private StandardMetrics() {}

    private static Stream<Labelled<Integer>> kubernetesBuild(Scrape scrape) {
        String version = scrape.report().version();
        String[] numbers = version.split("[.-]", -1);
        boolean numbered = version.matches("[0-9]+\\.[0-9]+.*");
        return Stream.of(new Labelled<>(
                1, numbered ? "v" + version : version, numbered ? numbers[0] : "", numbered ? numbers[1] : ""));
    }

    private static Stream<Labelled<Long>> requests(Scrape scrape) {
        return scrape.server().stream()
                .flatMap(server -> server.requests().outcomes().entrySet().stream()
                        .map(each -> new Labelled<>(
                                each.getValue(),
                                each.getKey().code(),
                                server.host(),
                                each.getKey().method())));
    }

    private static Stream<Labelled<Histogram>> latencies(Scrape scrape) {
        return scrape.server().stream()
                .flatMap(server -> server.requests().latencies().entrySet().stream()
                        .map(each -> new Labelled<>(each.getValue(), server.host(), each.getKey())));
    }

    /** Requests for addresses; one that no network has belongs to no {@code cidr}. */
    private static MetricSource<Scrape, Labelled<Long>> addresses(boolean given) {
        return MetricSource.labelled(
                List.of("cidr", "scope"),
                scrape -> allocations(scrape, LedgerFigures::addresses, given)
                        .map(each ->
                                new Labelled<>(each.getValue(), each.getKey().of(), scope(each.getKey()))));
    }

    private static MetricSource<Scrape, Labelled<Long>> ports(boolean given) {
        return MetricSource.labelled(
                List.of("scope"),
                scrape -> allocations(scrape, LedgerFigures::ports, given)
                        .map(each -> new Labelled<>(each.getValue(), scope(each.getKey()))));
    }

    private static Stream<Map.Entry<LedgerFigures.AllocationRequest, Long>> allocations(
            Scrape scrape, Function<LedgerFigures, Map<LedgerFigures.AllocationRequest, Long>> counts, boolean given) {
        return scrape.report().ledger().stream()
                .flatMap(ledger -> counts.apply(ledger).entrySet().stream())
                .filter(each -> each.getKey().given() == given);
    }

    private static String scope(LedgerFigures.AllocationRequest request) {
        return request.named() ? "static" : "dynamic";
    }

    private static double unsigned(long number) {
        return number < 0 ? number + UNSIGNED : number;
    }
}
