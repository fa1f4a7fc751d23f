package io.dualstackd.pages.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.Reports;
import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.StatusReportBuilder;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class MetricsTest {
    private static String text(StatusReport report) {
        return Metrics.text(MetricSamples.of(report), Exposition.PROMETHEUS_TEXT);
    }

    private static List<String> samples(String text) {
        return text.lines().filter(line -> !line.startsWith("#")).toList();
    }

    @Test
    void eachFamilyHasFiguresOfItsOwn() {
        assertThat(samples(text(Reports.healthy())))
                .contains(
                        "dualstackd_family_ready{ip_family=\"IPv4\"} 1.0",
                        "dualstackd_family_ready{ip_family=\"IPv6\"} 1.0",
                        "dualstackd_oldest_change_age_seconds{ip_family=\"IPv4\"} 0.0",
                        "dualstackd_oldest_change_age_seconds{ip_family=\"IPv6\"} 1.5",
                        "dualstackd_services{ip_family=\"IPv4\"} 12.0",
                        "dualstackd_services_dual_stack 5.0",
                        "dualstackd_rules{ip_family=\"IPv6\"} 612.0",
                        "dualstackd_repairs_total{ip_family=\"IPv4\"} 1.0",
                        "dualstackd_conntrack_deleted_total{ip_family=\"IPv6\"} 4.0",
                        "dualstackd_last_transaction_seconds{ip_family=\"IPv4\"} 0.0021",
                        "dualstackd_source_problems 0.0");
    }

    @Test
    void metricsShowFailures() {
        assertThat(samples(text(Reports.failing())))
                .contains(
                        "dualstackd_family_ready{ip_family=\"IPv4\"} 1.0",
                        "dualstackd_family_ready{ip_family=\"IPv6\"} 0.0",
                        "dualstackd_contested{ip_family=\"IPv6\"} 1.0",
                        "dualstackd_transactions_refused_total{ip_family=\"IPv6\"} 3.0",
                        "dualstackd_source_problems 1.0");
    }

    /** kube-proxy has this one metric of iptables in ipvs mode, too. */
    @Test
    void refusalsInIpvsMode() {
        StatusReport iptables = Reports.failing();
        StatusReport ipvs = StatusReportBuilder.like(iptables)
                .families(iptables.families().stream()
                        .map(family -> new StatusReport.Family(
                                family.family(),
                                "ipvs",
                                family.variant(),
                                family.phase(),
                                family.objects(),
                                family.totals(),
                                family.last(),
                                family.error(),
                                family.contest(),
                                family.latency()))
                        .toList())
                .build();
        assertThat(text(ipvs))
                .contains("kubeproxy_sync_proxy_rules_iptables_restore_failures_total{ip_family=\"IPv6\"} 3.0\n")
                .doesNotContain("kubeproxy_sync_proxy_rules_iptables_total", "kubeproxy_sync_proxy_rules_nftables");
    }

    @Test
    void theAgeOfTheLastContactIsThereOnceThereWasOne() {
        assertThat(text(Reports.healthy())).doesNotContain("last_contact");
        assertThat(samples(text(StatusReportBuilder.like(Reports.healthy())
                        .cluster(Duration.ofMillis(3200))
                        .build())))
                .contains("dualstackd_apiserver_last_contact_age_seconds 3.2");
    }

    @Test
    void aFamilyTheHostDoesNotHaveIsNotOneThatFails() {
        assertThat(text(Reports.singleStack()))
                .contains("dualstackd_family_ready{ip_family=\"IPv4\"} 1.0")
                .doesNotContain("dualstackd_family_ready{ip_family=\"IPv6\"}");
    }

    /** Nothing on this host would refuse connections over it, so there is nothing to alert to. */
    @Test
    void servicesWithoutEndpointsOfAFamilyTheHostDoesNotHaveAreNotReported() {
        assertThat(text(Reports.healthy())).contains("dualstackd_services_one_sided{ip_family=\"IPv6\"} 2.0");
        assertThat(text(Reports.singleStack()))
                .contains("dualstackd_services_one_sided{ip_family=\"IPv4\"} 0.0")
                .doesNotContain("dualstackd_services_one_sided{ip_family=\"IPv6\"}");
    }

    @Test
    void figuresOfPodsAreThereOnlyWithARuntime() {
        assertThat(text(Reports.healthy())).doesNotContain("dualstackd_pods");
        assertThat(samples(text(Reports.failing())))
                .contains(
                        "dualstackd_runtime_up 0.0",
                        "dualstackd_pods 3.0",
                        "dualstackd_pods_alive 2.0",
                        "dualstackd_pods_addressed{ip_family=\"IPv6\"} 1.0",
                        "dualstackd_pods_dual_stack 1.0",
                        "dualstackd_hidden_endpoints 1.0",
                        "dualstackd_local_failovers_total 1.0");
    }

    @Test
    void allocatorMetricsHaveTheNamesOfAnApiServer() {
        assertThat(text(Reports.healthy())).doesNotContain("kube_apiserver");
        assertThat(samples(text(Reports.failing())))
                .contains(
                        "kube_apiserver_clusterip_allocator_allocated_ips{cidr=\"10.96.0.0/24\"} 3.0",
                        "kube_apiserver_clusterip_allocator_available_ips{cidr=\"fd00:96::/64\"} 1.8446744073709552E19",
                        "kube_apiserver_clusterip_allocator_allocation_total{cidr=\"10.96.0.0/24\",scope=\"dynamic\"} 4.0",
                        "kube_apiserver_clusterip_allocator_allocation_errors_total{scope=\"static\"} 1.0",
                        "kube_apiserver_nodeport_allocator_allocated_ports 5.0",
                        "kube_apiserver_nodeport_allocator_available_ports 2763.0",
                        "kube_apiserver_nodeport_allocator_allocation_total{scope=\"static\"} 2.0");
    }

    @Test
    void everyMetricHasHelpAndType() {
        String text = text(Reports.failing());
        Pattern name = Pattern.compile("^(\\w+)");
        assertThat(samples(text)).isNotEmpty().allSatisfy(sample -> {
            var matcher = name.matcher(sample);
            assertThat(matcher.find()).isTrue();
            String metric = String.valueOf(matcher.group(1)).replaceFirst("_(bucket|count|sum)$", "");
            assertThat(text).contains("# HELP " + metric + " ", "# TYPE " + metric + " ");
        });
    }

    @Test
    void everyMetricOfTheTableIsOnAPage() {
        String pages = text(StatusReportBuilder.like(Reports.failing())
                        .cluster(Duration.ofSeconds(3))
                        .build())
                + text(Reports.nftables());
        assertThat(Metrics.TABLE)
                .extracting(Metric::name)
                // No request for a node port has failed here.
                .filteredOn(name -> !name.equals("kube_apiserver_nodeport_allocator_allocation_errors_total"))
                .allSatisfy(name -> assertThat(pages).contains("# HELP " + name + " "));
    }

    @Test
    void kubeProxysNamesAreThere() {
        assertThat(samples(text(Reports.healthy())))
                .contains(
                        "kubeproxy_sync_proxy_rules_duration_seconds_bucket{ip_family=\"IPv4\",le=\"0.002\"} 0",
                        "kubeproxy_sync_proxy_rules_duration_seconds_bucket{ip_family=\"IPv4\",le=\"0.004\"} 1",
                        "kubeproxy_sync_proxy_rules_duration_seconds_bucket{ip_family=\"IPv4\",le=\"16.384\"} 1",
                        "kubeproxy_sync_proxy_rules_duration_seconds_sum{ip_family=\"IPv4\"} 0.003",
                        "kubeproxy_sync_full_proxy_rules_duration_seconds_count{ip_family=\"IPv6\"} 0",
                        "kubeproxy_sync_partial_proxy_rules_duration_seconds_count{ip_family=\"IPv6\"} 1",
                        "kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family=\"IPv4\"} 1.7952372005E9",
                        "kubeproxy_sync_proxy_rules_endpoint_changes_total 9.0",
                        "kubeproxy_sync_proxy_rules_endpoint_changes_pending 2.0",
                        "kubeproxy_sync_proxy_rules_service_changes_total 6.0",
                        "kubeproxy_sync_proxy_rules_no_local_endpoints_total"
                                + "{ip_family=\"IPv6\",traffic_policy=\"external\"} 2.0",
                        "kubeproxy_sync_proxy_rules_iptables_total{ip_family=\"IPv6\",table=\"nat\"} 500.0",
                        "kubeproxy_sync_proxy_rules_iptables_last{ip_family=\"IPv6\",table=\"nat\"} 3.0",
                        "kubeproxy_proxy_healthz_total{code=\"503\"} 0.0",
                        "kubeproxy_proxy_livez_total{code=\"503\"} 1.0",
                        "kubeproxy_conntrack_reconciler_deleted_entries_total{ip_family=\"IPv4\"} 4.0");
    }

    /** Not what happened before the start, and nothing from a clock that is ahead. */
    @Test
    void programmingIsMeasuredFromTheTriggersOfTheFamily() {
        assertThat(samples(text(Reports.healthy())))
                .contains(
                        "kubeproxy_network_programming_duration_seconds_count{ip_family=\"IPv4\"} 1",
                        "kubeproxy_network_programming_duration_seconds_bucket{ip_family=\"IPv4\",le=\"1.0\"} 0",
                        "kubeproxy_network_programming_duration_seconds_bucket{ip_family=\"IPv4\",le=\"2.0\"} 1",
                        "kubeproxy_network_programming_duration_seconds_bucket{ip_family=\"IPv4\",le=\"300.0\"} 1",
                        "kubeproxy_network_programming_duration_seconds_count{ip_family=\"IPv6\"} 0");
        assertThat(Buckets.PROGRAMMING.bounds()).hasSize(81);
    }

    @Test
    void requestMetricsAreThoseOfClientGo() {
        assertThat(samples(text(Reports.healthy())))
                .contains(
                        "rest_client_requests_total{code=\"200\",host=\"10.0.0.1:6443\",method=\"GET\"} 2.0",
                        "rest_client_requests_total{code=\"<error>\",host=\"10.0.0.1:6443\",method=\"GET\"} 1.0",
                        "rest_client_requests_total{code=\"201\",host=\"10.0.0.1:6443\",method=\"POST\"} 1.0",
                        "rest_client_request_duration_seconds_bucket{host=\"10.0.0.1:6443\",verb=\"POST\",le=\"0.025\"} 0",
                        "rest_client_request_duration_seconds_bucket{host=\"10.0.0.1:6443\",verb=\"POST\",le=\"0.1\"} 1",
                        "rest_client_request_duration_seconds_sum{host=\"10.0.0.1:6443\",verb=\"POST\"} 0.026");
    }

    @Test
    void openMetricsIsNegotiated() {
        assertThat(Exposition.accepted("")).isEqualTo(Exposition.PROMETHEUS_TEXT);
        assertThat(Exposition.accepted("text/html, */*")).isEqualTo(Exposition.PROMETHEUS_TEXT);
        Exposition open = Exposition.accepted("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3");
        assertThat(open.contentType()).startsWith("application/openmetrics-text");
        assertThat(Metrics.text(MetricSamples.of(Reports.healthy()), open))
                .contains("# TYPE dualstackd_repairs counter\n", "dualstackd_repairs_total{ip_family=\"IPv4\"} 1.0\n")
                .endsWith("# EOF\n");
    }
}
