package io.dualstackd.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.YamlText;
import org.junit.jupiter.api.Test;

final class StatusJsonTest {
    /** Read back with our own reader: JSON is YAML. */
    private static Field parse(String json) {
        Document.Parsed document = (Document.Parsed) YamlText.documents(json).getFirst();
        return new Field(document.tree(), "", new ProblemCollector("status", 1));
    }

    @Test
    void everythingIsThere() {
        Field status = parse(JsonPrint.indented(StatusJson.of(Reports.failing())));
        assertThat(status.bool("healthy")).contains(false);
        assertThat(status.text("node")).contains("node-1");
        assertThat(status.object("source").orElseThrow().number("services", 0, 100))
                .hasValue(12);
        Field v4 = status.objects("families").get(0);
        Field v6 = status.objects("families").get(1);
        assertThat(v4.text("phase")).contains("ready");
        assertThat(v4.object("objects").orElseThrow().number("rules", 0, 10_000))
                .hasValue(612);
        assertThat(v4.object("totals").orElseThrow().number("staleFlows", 0, 100))
                .hasValue(4);
        assertThat(v4.object("last").orElseThrow().field("tookMs").orElseThrow().raw())
                .isEqualTo("2.1");
        assertThat(v4.object("error")).isEmpty();
        assertThat(v6.object("error").orElseThrow().text("said")).contains("EPERM (Operation not permitted)");
        assertThat(v6.object("last")).isEmpty();
        assertThat(v4.object("contestedBy")).isEmpty();
        assertThat(v6.object("contestedBy").orElseThrow().text("process")).contains("kube-proxy");
        Field dns = status.object("dns").orElseThrow();
        assertThat(dns.text("domain")).contains("cluster.local");
        assertThat(dns.objects("listeners").get(1).bool("open")).contains(false);
        assertThat(dns.objects("listeners").get(1).text("trouble")).contains("no interface has the address");
        assertThat(dns.number("questions", 0, 100)).hasValue(9);
        Field problem = status.objects("problems").getFirst();
        assertThat(problem.text("file")).contains("web.yaml");
        assertThat(problem.number("line", 0, 100)).hasValue(14);
        assertThat(problem.text("rule")).contains("must be 1 to 65535");
    }
}
