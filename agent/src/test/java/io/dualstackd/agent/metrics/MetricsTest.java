package io.dualstackd.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.admin.Reports;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class MetricsTest {
    private static List<String> samples(String text) {
        return text.lines().filter(line -> !line.startsWith("#")).toList();
    }

    @Test
    void eachFamilyHasFiguresOfItsOwn() {
        assertThat(samples(Metrics.text(Reports.healthy())))
                .contains(
                        "dualstackd_family_ready{family=\"ipv4\"} 1.0",
                        "dualstackd_family_ready{family=\"ipv6\"} 1.0",
                        "dualstackd_services{family=\"ipv4\"} 12.0",
                        "dualstackd_rules{family=\"ipv6\"} 612.0",
                        "dualstackd_repairs_total{family=\"ipv4\"} 1.0",
                        "dualstackd_conntrack_deleted_total{family=\"ipv6\"} 4.0",
                        "dualstackd_last_transaction_seconds{family=\"ipv4\"} 0.0021",
                        "dualstackd_source_problems 0.0");
    }

    @Test
    void whatIsWrongShows() {
        assertThat(samples(Metrics.text(Reports.failing())))
                .contains(
                        "dualstackd_family_ready{family=\"ipv4\"} 1.0",
                        "dualstackd_family_ready{family=\"ipv6\"} 0.0",
                        "dualstackd_contested{family=\"ipv6\"} 1.0",
                        "dualstackd_transactions_refused_total{family=\"ipv6\"} 3.0",
                        "dualstackd_source_problems 1.0");
    }

    @Test
    void figuresOfPodsAreThereOnlyWithARuntime() {
        assertThat(Metrics.text(Reports.healthy())).doesNotContain("dualstackd_pods");
        assertThat(samples(Metrics.text(Reports.failing())))
                .contains(
                        "dualstackd_runtime_up 0.0",
                        "dualstackd_pods 3.0",
                        "dualstackd_pods_alive 2.0",
                        "dualstackd_hidden_endpoints 1.0",
                        "dualstackd_local_failovers_total 1.0");
    }

    @Test
    void allocatorsAreToldAsAnApiServerTellsThem() {
        assertThat(Metrics.text(Reports.healthy())).doesNotContain("kube_apiserver");
        assertThat(samples(Metrics.text(Reports.failing())))
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
    void everyFigureSaysWhatItIs() {
        String text = Metrics.text(Reports.failing());
        Pattern name = Pattern.compile("^(\\w+)");
        assertThat(samples(text)).isNotEmpty().allSatisfy(sample -> {
            var matcher = name.matcher(sample);
            assertThat(matcher.find()).isTrue();
            String metric = String.valueOf(matcher.group(1));
            assertThat(text).contains("# HELP " + metric + " ", "# TYPE " + metric + " ");
        });
    }
}
