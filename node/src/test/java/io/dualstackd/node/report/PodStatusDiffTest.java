package io.dualstackd.node.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.client.WriteRequest;
import io.dualstackd.kubeapi.wire.PodList;
import io.dualstackd.kubeapi.wire.raw.PodAddresses;
import io.dualstackd.kubeapi.wire.raw.WireException;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pods.NodeNames;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.Pods;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which statuses differ from what is true, and what is done about it. */
final class PodStatusDiffTest {
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
    private static final NodeNames NODE = new NodeNames(IpFamily.IPV4, ips("192.168.0.1,fd01::1"));

    private final PodStatusDiff ledger = new PodStatusDiff();

    private static List<Ip> ips(String text) {
        return texts(text).stream().map(Ip::parse).toList();
    }

    private static List<String> texts(String text) {
        return text == null || text.isEmpty() ? List.of() : Arrays.asList(text.split(","));
    }

    static Pods runtime(String ips, boolean ready) {
        Pod.PodSandbox sandbox = new Pod.PodSandbox("s", 0, START, ready, 1, true, false);
        return new Pods(List.of(new Pod("shop", "web", "u1", sandbox, false, ips(ips), Map.of(), List.of())));
    }

    static PodAddresses status(String uid, String phase, boolean deleting, String podIps, String hostIps) {
        return new PodAddresses("shop", "web", uid, uid, phase, deleting, texts(podIps), texts(hostIps));
    }

    private PodStatusDiff.Result later(Pods runtime, PodAddresses status, int seconds) {
        return ledger.check(runtime, List.of(status), NODE, START.plusSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # runtime        | uid | phase     | going | podIPs              | hostIPs             | what is told
            10.0.0.1,fd00::1 | u1  | Running   | no    | 10.0.0.1,fd00::1    | 192.168.0.1,fd01::1 |
            10.0.0.1,fd00::1 | u1  | Running   | no    | 10.0.0.1,fd00:0::1  | 192.168.0.1,fd01::1 |
            10.0.0.1,fd00::1 | u1  | Running   | no    | 10.0.0.1            | 192.168.0.1,fd01::1 | podIPs should be 10.0.0.1,fd00::1 and are 10.0.0.1
            10.0.0.1,fd00::1 | u1  | Pending   | no    |                     | 192.168.0.1,fd01::1 | podIPs should be 10.0.0.1,fd00::1 and are none
            10.0.0.1,fd00::1 | u1  | Running   | no    | fd00::1,10.0.0.1    | 192.168.0.1         | hostIPs should be 192.168.0.1,fd01::1 and are 192.168.0.1
            10.0.0.1,fd00::1 | u1  | Running   | no    | fd00::1,10.0.0.1    | 192.168.0.1,fd01::1 |
            10.0.0.1,fd00::1 | u1  | Running   | no    | fd00::1             | fd01::1,192.168.0.1 | podIPs should be 10.0.0.1,fd00::1 and are fd00::1; hostIPs should be 192.168.0.1,fd01::1 and are fd01::1,192.168.0.1
            10.0.0.1         | u2  | Running   | no    |                     |                     |
            10.0.0.1         | u1  | Succeeded | no    |                     |                     |
            10.0.0.1         | u1  | Running   | yes   |                     |                     |
                             | u1  | Running   | no    | 10.0.0.1            |                     |
            """)
    void reportsDifferences(
            String runtime, String uid, String phase, String going, String podIps, String hostIps, String expected) {
        PodAddresses status = status(uid, phase, going.equals("yes"), podIps, hostIps);
        later(runtime(runtime, true), status, 0);
        PodStatusDiff.Result result = later(runtime(runtime, true), status, 30);
        assertThat(result.lasting().stream().map(PodDifference::toString))
                .isEqualTo(expected == null ? List.of() : List.of(expected));
    }

    /** Its object in the API is a mirror with a uid of its own, which the request for a correction has to name. */
    @Test
    void aStaticPodIsComparedUnderItsOwnUid() throws WireException {
        PodAddresses mirror = PodList.read("""
                {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [{
                  "metadata": {"name": "web", "namespace": "shop", "uid": "of-the-mirror",
                    "annotations": {"kubernetes.io/config.mirror": "u1"}},
                  "status": {"phase": "Running", "podIPs": [{"ip": "10.0.0.1"}],
                    "hostIPs": [{"ip": "192.168.0.1"}, {"ip": "fd01::1"}]}}]}
                """).getFirst();
        Pods pods = runtime("10.0.0.1,fd00::1", true);
        later(pods, mirror, 0);
        PodStatusDiff.Result result = later(pods, mirror, 30);
        assertThat(result.lasting().stream().map(PodDifference::toString))
                .containsExactly("podIPs should be 10.0.0.1,fd00::1 and are 10.0.0.1");
        assertThat(result.toCorrect().getFirst().writeRequest().body()).contains("\"uid\":\"of-the-mirror\"");
        assertThat(ledger.compared()).isEqualTo(1);
    }

    /** Two files with pods of their own may give the same one. */
    @Test
    void podsWithTheSameUidAreComparedByTheirNames() {
        Pod web = runtime("10.0.0.1", true).all().getFirst();
        Pods pods = new Pods(
                List.of(web, new Pod("shop", "zoo", "u1", web.sandbox(), false, ips("10.0.0.2"), Map.of(), List.of())));
        PodAddresses wrong = status("u1", "Running", false, "", "192.168.0.1,fd01::1");
        later(pods, wrong, 0);
        assertThat(later(pods, wrong, 30).lasting()).hasSize(1);
    }

    /** The addresses of a pod in the host network are not changed once they are set; only a family that was missing is added. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # runtime             | podIPs                | what is told
            192.168.0.1,fd01::1   | 192.168.0.99,fd01::99 |
            192.168.0.99,fd01::99 | 192.168.0.1,fd01::1   |
            192.168.0.1,fd01::1   | 192.168.0.99          | podIPs should be 192.168.0.99,fd01::1 and are 192.168.0.99
            192.168.0.1,fd01::1   |                       | podIPs should be 192.168.0.1,fd01::1 and are none
            192.168.0.1,fd01::1   | somewhere             | podIPs should be 192.168.0.1,fd01::1 and are somewhere
            """)
    void aPodOnTheHostNetworkMayHaveAddressesThatTheNodeHadBefore(String runtime, String podIps, String expected) {
        Pod web = runtime(runtime, true).all().getFirst();
        Pods pods = new Pods(List.of(
                new Pod(web.namespace(), web.name(), web.uid(), web.sandbox(), true, web.ips(), Map.of(), List.of())));
        PodAddresses status = status("u1", "Running", false, podIps, "192.168.0.1,fd01::1");
        later(pods, status, 0);
        assertThat(later(pods, status, 30).lasting().stream().map(PodDifference::toString))
                .isEqualTo(expected == null ? List.of() : List.of(expected));
    }

    @Test
    void kubeletHasTimeToWriteIt() {
        PodAddresses wrong = status("u1", "Running", false, "", "192.168.0.1,fd01::1");
        Pods pods = runtime("10.0.0.1", true);
        assertThat(later(pods, wrong, 0).lasting()).isEmpty();
        assertThat(later(pods, wrong, 29).lasting()).isEmpty();
        assertThat(later(pods, status("u1", "Running", false, "10.0.0.1", "192.168.0.1,fd01::1"), 29)
                        .lasting())
                .isEmpty();
        assertThat(later(pods, wrong, 31).lasting()).as("a new one").isEmpty();
        assertThat(later(runtime("10.0.0.1", false), wrong, 90).lasting())
                .as("a dead one")
                .isEmpty();
    }

    @Test
    void reportsAndCorrectsOnce() {
        PodAddresses wrong = status("u1", "Running", false, "", "192.168.0.1,fd01::1");
        PodAddresses right = status("u1", "Running", false, "10.0.0.1", "192.168.0.1,fd01::1");
        Pods pods = runtime("10.0.0.1", true);
        later(pods, wrong, 0);
        PodStatusDiff.Result first = later(pods, wrong, 30);
        assertThat(first.toTell()).hasSize(1);
        assertThat(first.toCorrect()).isEqualTo(first.toTell());
        PodStatusDiff.Result again = later(pods, wrong, 60);
        assertThat(again.toTell()).isEmpty();
        assertThat(again.toCorrect())
                .as("the correction was not reported as done")
                .hasSize(1);
        ledger.corrected(again.toCorrect().getFirst());
        later(pods, right, 90);
        later(pods, wrong, 100);
        PodStatusDiff.Result back = later(pods, wrong, 130);
        assertThat(back.lasting()).hasSize(1);
        assertThat(back.toTell()).isEmpty();
        assertThat(back.toCorrect()).as("somebody is sure of it").isEmpty();
        assertThat(ledger.compared()).isEqualTo(1);
    }

    @Test
    void bothListsAreReplaced() {
        PodDifference difference = new PodDifference(
                "shop", "web", "u1", ips("10.0.0.1,fd00::1"), List.of("10.0.0.1"), ips("192.168.0.1"), List.of());
        assertThat(difference.writeRequest())
                .isEqualTo(new WriteRequest(
                        "PATCH",
                        "/api/v1/namespaces/shop/pods/web/status",
                        "application/strategic-merge-patch+json",
                        "{\"metadata\":{\"uid\":\"u1\"},\"status\":{\"podIP\":\"10.0.0.1\",\"podIPs\":[{\"$patch\":\"replace\"},"
                                + "{\"ip\":\"10.0.0.1\"},{\"ip\":\"fd00::1\"}],\"hostIP\":\"192.168.0.1\","
                                + "\"hostIPs\":[{\"$patch\":\"replace\"},{\"ip\":\"192.168.0.1\"}]}}"));
    }
}
