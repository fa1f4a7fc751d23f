package io.dualstackd.standalone.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the real ledger behind it, and without one. */
final class BuiltInServiceTest {
    private static final ObjectKey KEY = new ObjectKey(ObjectKey.Kind.SERVICE, "kube-system", "kube-dns");

    @TempDir
    private Path state;

    private static ApiObject service(String name, String ip, Dialect dialect) {
        return Manifests.decode("test", """
                        apiVersion: v1
                        kind: Service
                        metadata: {name: %s, namespace: kube-system}
                        spec: {%s ports: [{name: dns, port: 53, protocol: UDP}]}
                        """.formatted(name, ip.isEmpty() ? "" : "clusterIP: " + ip + ", "), dialect)
                .objects()
                .getFirst()
                .object();
    }

    private static Update put(ApiObject object) {
        return new Update.Put(object);
    }

    private ServiceLedger ledger() throws IOException {
        return ServiceLedger.open(
                state, new LedgerSettings(List.of(IpPrefix.parse("10.96.0.0/24")), 30000, 30010, Semantics.KUBERNETES));
    }

    private static BuiltInService over(ServiceLedger ledger) {
        return new BuiltInService(ledger, service("kube-dns", "10.96.0.10", Dialect.WRITTEN), "--dns-listen");
    }

    /** The last word of the updates about the Service: its address, or gone; empty when they say nothing. */
    private static String outcome(List<Update> updates) {
        return updates.stream()
                .filter(update -> update.key().equals(KEY))
                .map(update -> switch (update) {
                    case Update.Put(Service service) ->
                        service.clusterIps().getFirst().toString();
                    case Update.Put other -> other.toString();
                    case Update.Gone ignored -> "gone";
                })
                .reduce("", (first, last) -> last);
    }

    @Test
    void itIsInForceOnceAllFilesAreReadAndStaysAcrossRestarts() throws IOException {
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            assertThat(outcome(stage.admit(List.of()))).isEmpty();
            assertThat(outcome(stage.retain(key -> false))).isEqualTo("10.96.0.10");
            assertThat(outcome(stage.retain(key -> false))).as("once").isEmpty();
            assertThat(stage.isOffered()).isTrue();
            assertThat(stage.problems(key -> Optional.empty())).isEmpty();
        }
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            assertThat(outcome(stage.admit(List.of()))).isEqualTo("10.96.0.10");
            assertThat(stage.retain(key -> false)).isEmpty();
        }
        // Without DNS it is no longer in any file.
        try (ServiceLedger ledger = ledger()) {
            List<Update> ignored = ledger.admit(List.of());
            assertThat(outcome(ledger.retain(key -> false))).isEqualTo("gone");
        }
    }

    @Test
    void aFileTakesPrecedenceAtTheStart() throws IOException {
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            assertThat(stage.isOffered()).as("nothing is known yet").isTrue();
            assertThat(outcome(stage.admit(List.of(put(service("kube-dns", "10.96.0.77", Dialect.WRITTEN))))))
                    .isEqualTo("10.96.0.77");
            assertThat(stage.isOffered()).isFalse();
            assertThat(stage.retain(KEY::equals)).isEmpty();
            // The file may have the object in a text that cannot be read.
            assertThat(stage.isOffered()).isFalse();
        }
    }

    @Test
    void aFileTakesPrecedenceLaterAlthoughAddressesDoNotChange() throws IOException {
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            List<Update> before = stage.retain(key -> false);
            assertThat(outcome(before)).isEqualTo("10.96.0.10");
            assertThat(outcome(stage.admit(List.of(put(service("kube-dns", "10.96.0.77", Dialect.WRITTEN))))))
                    .isEqualTo("10.96.0.77");
            assertThat(stage.problems(key -> Optional.empty())).isEmpty();
            assertThat(outcome(stage.retain(KEY::equals))).isEmpty();
            // The file goes, and ours comes back.
            assertThat(outcome(stage.admit(List.of(new Update.Gone(KEY))))).isEqualTo("gone");
            assertThat(outcome(stage.retain(key -> false))).isEqualTo("10.96.0.10");
            assertThat(stage.isOffered()).isTrue();
        }
    }

    @Test
    void anotherAddressFromTheSettingsReplacesThatOfTheLastRun() throws IOException {
        try (ServiceLedger ledger = ledger()) {
            assertThat(outcome(over(ledger).retain(key -> false))).isEqualTo("10.96.0.10");
        }
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage =
                    new BuiltInService(ledger, service("kube-dns", "10.96.0.53", Dialect.WRITTEN), "--dns-listen");
            List<Update> ignored = stage.admit(List.of());
            assertThat(outcome(stage.retain(key -> false))).isEqualTo("10.96.0.53");
        }
    }

    /** As when the file was added while the daemon did not run. */
    @Test
    void aFileTakesPrecedenceOverThatOfTheLastRun() throws IOException {
        try (ServiceLedger ledger = ledger()) {
            assertThat(outcome(over(ledger).retain(key -> false))).isEqualTo("10.96.0.10");
        }
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            assertThat(outcome(stage.admit(List.of(put(service("kube-dns", "10.96.0.77", Dialect.WRITTEN))))))
                    .isEqualTo("10.96.0.77");
            assertThat(stage.problems(key -> Optional.empty())).isEmpty();
            assertThat(stage.retain(KEY::equals)).isEmpty();
            assertThat(stage.isOffered()).isFalse();
        }
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            assertThat(outcome(stage.admit(List.of(put(service("kube-dns", "10.96.0.78", Dialect.WRITTEN))))))
                    .as("that of a file keeps its address")
                    .isEqualTo("10.96.0.77");
            assertThat(stage.problems(key -> Optional.empty()))
                    .singleElement()
                    .asString()
                    .contains("may not change once set");
        }
    }

    /** As when a file is wrong at the start: first comes its last good version, then what the present one leaves of it. */
    @Test
    void ofSeveralUpdatesTheLastCounts() throws IOException {
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            Update claim = put(service("kube-dns", "10.96.0.77", Dialect.WRITTEN));
            assertThat(outcome(stage.admit(List.of(claim, new Update.Gone(KEY)))))
                    .isEmpty();
            assertThat(outcome(stage.retain(key -> false))).isEqualTo("10.96.0.10");
            assertThat(stage.isOffered()).isTrue();
            assertThat(outcome(stage.admit(List.of(new Update.Gone(KEY), claim))))
                    .isEqualTo("10.96.0.77");
            assertThat(stage.isOffered()).isFalse();
        }
    }

    @Test
    void aFileTakesPrecedenceAsSoonAsTheLedgerCanBeWritten() throws IOException {
        Path log = state.resolve("ledger").resolve("ledger.log");
        Path aside = state.resolve("aside");
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            assertThat(outcome(stage.retain(key -> false))).isEqualTo("10.96.0.10");
            Files.move(log, aside);
            Files.createDirectory(log);
            assertThat(outcome(stage.admit(List.of(put(service("kube-dns", "10.96.0.77", Dialect.WRITTEN))))))
                    .isEmpty();
            assertThat(stage.retain(KEY::equals)).isEmpty();
            assertThat(stage.isOffered()).as("it is still in force").isTrue();
            assertThat(stage.problems(key -> Optional.empty()))
                    .singleElement()
                    .asString()
                    .contains("cannot be written");
            Files.delete(log);
            Files.move(aside, log);
            assertThat(outcome(stage.admit(List.of()))).isEqualTo("10.96.0.77");
            assertThat(stage.retain(KEY::equals)).isEmpty();
            assertThat(stage.isOffered()).isFalse();
            assertThat(stage.problems(key -> Optional.empty())).isEmpty();
        }
    }

    @Test
    void reportsAddressInUseAndItsOrigin() throws IOException {
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            List<Update> ignored = stage.admit(List.of(put(service("other", "10.96.0.10", Dialect.WRITTEN))));
            assertThat(outcome(stage.retain(key -> false))).isEmpty();
            assertThat(stage.problems(key -> Optional.empty()))
                    .extracting(Problem::toString)
                    .singleElement()
                    .asString()
                    .contains("--dns-listen", "10.96.0.10", "Service kube-system/kube-dns");
        }
    }

    @Test
    void withoutALedger() {
        BuiltInService stage = new BuiltInService(
                AdmissionStage.NONE, service("kube-dns", "10.96.0.10", Dialect.STORED), "--dns-listen");
        assertThat(outcome(stage.retain(key -> false))).isEqualTo("10.96.0.10");
        assertThat(outcome(stage.admit(List.of(put(service("kube-dns", "10.96.0.77", Dialect.STORED))))))
                .isEqualTo("10.96.0.77");
        assertThat(stage.retain(KEY::equals)).isEmpty();
        assertThat(outcome(stage.admit(List.of(new Update.Gone(KEY))))).isEqualTo("gone");
        assertThat(outcome(stage.retain(key -> false))).isEqualTo("10.96.0.10");
    }

    /** As when a file is not YAML: then any object may be in it. */
    @Test
    void aTextThatCannotBeReadDoesNotWithdrawIt() throws IOException {
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            assertThat(outcome(stage.retain(key -> true)))
                    .as("nothing has the name")
                    .isEqualTo("10.96.0.10");
            assertThat(stage.isOffered()).isTrue();
            assertThat(outcome(stage.retain(key -> true))).isEmpty();
            assertThat(stage.isOffered()).isTrue();
        }
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            assertThat(outcome(stage.admit(List.of()))).isEqualTo("10.96.0.10");
            assertThat(stage.retain(key -> true)).isEmpty();
            assertThat(stage.isOffered()).as("it is that of the last run").isTrue();
            assertThat(outcome(stage.admit(List.of(put(service("kube-dns", "10.96.0.77", Dialect.WRITTEN))))))
                    .as("the text was repaired")
                    .isEqualTo("10.96.0.77");
            assertThat(stage.isOffered()).isFalse();
            assertThat(stage.retain(key -> true)).isEmpty();
            assertThat(stage.isOffered()).isFalse();
        }
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = over(ledger);
            assertThat(outcome(stage.admit(List.of()))).isEqualTo("10.96.0.77");
            assertThat(stage.retain(key -> true)).isEmpty();
            assertThat(stage.isOffered()).as("it is that of a file").isFalse();
            assertThat(outcome(stage.retain(key -> false))).as("it is in none").isEqualTo("10.96.0.10");
            assertThat(stage.isOffered()).isTrue();
        }
    }

    @Test
    void aFileThatGoesMakesRoomAlthoughAnotherCannotBeRead() {
        BuiltInService stage = new BuiltInService(
                AdmissionStage.NONE, service("kube-dns", "10.96.0.10", Dialect.STORED), "--dns-listen");
        List<Update> ignored = stage.admit(List.of(put(service("kube-dns", "10.96.0.77", Dialect.STORED))));
        assertThat(stage.retain(key -> true)).isEmpty();
        assertThat(outcome(stage.admit(List.of(new Update.Gone(KEY))))).isEqualTo("gone");
        assertThat(outcome(stage.retain(key -> true))).isEqualTo("10.96.0.10");
        assertThat(stage.isOffered()).isTrue();
    }

    /** As when the cluster IPs of DNS are configured anew, and some file is not YAML. */
    @Test
    void thatOfAnEarlierRunIsReplacedAlthoughATextCannotBeRead() throws IOException {
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = new BuiltInService(ledger, marked("10.96.0.10"), "--dns-listen");
            assertThat(outcome(stage.retain(key -> false))).isEqualTo("10.96.0.10");
        }
        try (ServiceLedger ledger = ledger()) {
            BuiltInService stage = new BuiltInService(ledger, marked("10.96.0.53"), "--dns-listen");
            assertThat(outcome(stage.admit(List.of()))).isEqualTo("10.96.0.10");
            assertThat(outcome(stage.retain(key -> true))).isEqualTo("10.96.0.53");
            assertThat(stage.isOffered()).isTrue();
        }
    }

    private static ApiObject marked(String ip) {
        return Manifests.decode("test", """
                        apiVersion: v1
                        kind: Service
                        metadata: {name: kube-dns, namespace: kube-system, labels: {app.kubernetes.io/managed-by: dualstackd}}
                        spec: {clusterIP: %s, ports: [{name: dns, port: 53, protocol: UDP}]}
                        """.formatted(ip), Dialect.WRITTEN)
                .objects()
                .getFirst()
                .object();
    }
}
