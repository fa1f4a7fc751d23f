package io.dualstackd.standalone.ledger.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.LedgerFixture;
import io.dualstackd.standalone.manifest.ManifestIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reader of manifests gets for what it reads, on a good disk and on a bad one. */
final class ServiceLedgerTest {
    @TempDir
    private Path state;

    private final FaultyDisk disk = new FaultyDisk();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private ManifestIndex manifestIndex = new ManifestIndex(Map.of());
    private ServiceLedger ledger;

    @BeforeEach
    void begin() throws IOException {
        ledger = open(LedgerFixture.DUAL);
        settle(List.of());
        ledger.retain(manifestIndex::mayHave);
    }

    @AfterEach
    void end() {
        ledger.close();
    }

    private ServiceLedger open(String ranges) throws IOException {
        return ServiceLedger.open(Journal.open(state, disk), LedgerFixture.settings(ranges), new Random(3), () -> now);
    }

    /** Another life; files are read anew. */
    private List<Update> restart(String... files) throws IOException {
        ledger.close();
        manifestIndex = new ManifestIndex(Map.of());
        ledger = open(LedgerFixture.DUAL);
        List<Update> updates = new ArrayList<>();
        for (int i = 0; i < files.length; i++) {
            updates.addAll(manifestIndex.put("file" + i + ".yaml", decode("file" + i + ".yaml", files[i])));
        }
        List<Update> inForce = new ArrayList<>(settle(updates));
        inForce.addAll(ledger.retain(manifestIndex::mayHave));
        return inForce;
    }

    private static Decoded decode(String file, String text) {
        return Manifests.decode(file, text, Dialect.WRITTEN);
    }

    private List<Update> settle(List<Update> updates) {
        return ledger.admit(updates);
    }

    private List<Update> put(String file, String text) {
        return settle(manifestIndex.put(file, decode(file, text)));
    }

    private List<String> problems() {
        return ledger.problems(manifestIndex::find).stream()
                .map(Problem::toString)
                .toList();
    }

    private static List<Ip> ips(List<Update> updates, String service) {
        return updates.stream()
                .filter(update -> update.key().equals(LedgerFixture.service(service)))
                .map(update -> ((Service) ((Update.Put) update).object()).clusterIps())
                .reduce((a, b) -> b)
                .orElse(List.of());
    }

    @Test
    void aServiceIsInForceWithItsAddressesAndAgainAfterARestart() throws IOException {
        String web = LedgerFixture.yaml("web", "ipFamilyPolicy: PreferDualStack");
        List<Ip> ips = ips(put("a.yaml", web), "web");
        assertThat(ips).hasSize(2);
        assertThat(put("a.yaml", web)).isEmpty();
        assertThat(ips(restart(web), "web")).isEqualTo(ips);
    }

    @Test
    void aFileThatIsGoneAtTheNextStartTakesItsServiceWithIt() throws IOException {
        put("a.yaml", LedgerFixture.yaml("web") + LedgerFixture.yaml("b"));
        assertThat(restart(LedgerFixture.yaml("b"))).contains(new Update.Gone(LedgerFixture.service("web")));
        assertThat(ledger.view().entries()).extracting(Entry::key).doesNotContain(LedgerFixture.service("web"));
    }

    @Test
    void aFileThatIsBrokenAtTheNextStartTakesNothingUntilItIsMended() throws IOException {
        List<Ip> ips = ips(put("a.yaml", LedgerFixture.yaml("web")), "web");
        assertThat(ips(restart("kind: ["), "web")).isEqualTo(ips);
        assertThat(ledger.retain(manifestIndex::mayHave)).isEmpty();
        manifestIndex.put("file0.yaml", decode("file0.yaml", LedgerFixture.yaml("other")));
        assertThat(ledger.retain(manifestIndex::mayHave))
                .containsExactly(new Update.Gone(LedgerFixture.service("web")));
    }

    @Test
    void refusalNamesFileAndLine() {
        put("a.yaml", LedgerFixture.yaml("web"));
        put("b.yaml", LedgerFixture.yaml("b", "type: ClusterIP", "clusterIP: 10.200.0.1"));
        assertThat(problems())
                .containsExactly(
                        "b.yaml:13 (document 1): spec.clusterIPs[0]: \"10.200.0.1\": failed to allocate it:"
                                + " 10.200.0.1 is in no ServiceCIDR that is ready (a network's own address and an IPv4 broadcast"
                                + " address are not); it is tried again when numbers become free or a ServiceCIDR is added (Service shop/b)");
        put("b.yaml", LedgerFixture.yaml("b"));
        assertThat(problems()).isEmpty();
    }

    /** Whatever becomes free, the Service contradicts itself. */
    @Test
    void aNodePortThatAServiceUsesForTwoPortsIsNotWaitedFor() {
        put("a.yaml", """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: shop}
                spec:
                  type: NodePort
                  ports:
                  - {name: a, port: 80, nodePort: 30005}
                  - {name: b, port: 81, protocol: UDP, nodePort: 30005}
                """);
        assertThat(problems())
                .containsExactly("a.yaml:8 (document 1): spec.ports[1].nodePort: \"30005\": is used for port 80, too;"
                        + " only one port with several protocols may share it (Service shop/web)");
    }

    @Test
    void whileTheDiskFailsNothingIsGivenAndWhatIsInForceStays() throws IOException {
        List<Ip> ips = ips(put("a.yaml", LedgerFixture.yaml("web")), "web");
        disk.failAfter(0, true);
        assertThat(put("b.yaml", LedgerFixture.yaml("b"))).isEmpty();
        assertThat(settle(manifestIndex.remove("a.yaml"))).isEmpty();
        assertThat(settle(List.of())).isEmpty();
        assertThat(problems()).singleElement().asString().contains("cannot be written: No space left on device");
        assertThat(ledger.view().entries()).extracting(Entry::key).contains(LedgerFixture.service("web"));
        disk.work();
        List<Update> updates = settle(List.of());
        assertThat(updates).contains(new Update.Gone(LedgerFixture.service("web")));
        assertThat(ips(updates, "b")).hasSize(1);
        assertThat(problems()).isEmpty();
        assertThat(ips(restart(LedgerFixture.yaml("web"), LedgerFixture.yaml("b")), "b"))
                .isEqualTo(ips(updates, "b"));
        assertThat(ips).hasSize(1);
    }

    @Test
    void aDiskThatWorksAgainIsNoticedAlsoWhenNothingWaitsForIt() throws IOException {
        disk.failAfter(0, true);
        assertThat(put("b.yaml", LedgerFixture.yaml("b"))).isEmpty();
        assertThat(settle(manifestIndex.remove("b.yaml"))).isEmpty();
        assertThat(problems()).singleElement().asString().contains("cannot be written");
        disk.work();
        assertThat(settle(List.of())).isEmpty();
        assertThat(problems()).isEmpty();
        assertThat(ips(restart(LedgerFixture.yaml("web")), "web")).hasSize(1);
    }

    /** Otherwise the rules of all Services would be removed, only because their addresses are not known any more. */
    @Test
    void aLostLedgerThatCannotBeWrittenIsNotReady(@TempDir Path empty) throws IOException {
        assertThat(ledger.isReady()).isTrue();
        ServiceLedger lost = ServiceLedger.open(
                Journal.open(empty, disk), LedgerFixture.settings(LedgerFixture.DUAL), new Random(3), () -> now);
        try (lost) {
            disk.failAfter(0, true);
            assertThat(lost.admit(manifestIndex.put("a.yaml", decode("a.yaml", LedgerFixture.yaml("web")))))
                    .isEmpty();
            assertThat(lost.isReady()).isFalse();
            disk.work();
            assertThat(ips(lost.admit(List.of()), "web")).hasSize(1);
            assertThat(lost.isReady()).isTrue();
            disk.failAfter(0, true);
            assertThat(lost.admit(manifestIndex.put("b.yaml", decode("b.yaml", LedgerFixture.yaml("b")))))
                    .isEmpty();
            assertThat(lost.isReady()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "metadata: {revision: NUMBER, name: web, namespace: shop}",
                "metadata: {name: web, namespace: shop}\nstatus: {conditions: [{observedGeneration: NUMBER}]}",
                "metadata: {name: web, namespace: shop}\nstatus: {conditions: [{observedGeneration: 0.NUMBER}]}"
            })
    void readsALongNumberAgain(String fields) throws IOException {
        String web = "apiVersion: v1\nkind: Service\nspec: {ports: [{port: 80}]}\n"
                + fields.replace("NUMBER", "1".repeat(1001)) + "\n";
        List<Ip> ips = ips(put("a.yaml", web), "web");
        assertThat(ips).hasSize(1);
        assertThat(ips(restart(web), "web")).isEqualTo(ips);
    }

    /** What is nested more deeply than the journal can be read would keep the daemon from starting. */
    @Test
    void aServiceThatAliasesNestDeeplyDoesNotKeepTheLedgerFromBeingReadAgain() throws IOException {
        StringBuilder web = new StringBuilder(LedgerFixture.yaml("web")).append("status:\n  conditions:\n");
        for (int i = 0; i < 12; i++) {
            String inner = i == 0 ? "x" : "*a" + (i - 1);
            web.append("  - &a" + i + " " + "[".repeat(90) + inner + "]".repeat(90) + "\n");
        }
        put("a.yaml", LedgerFixture.yaml("b"));
        put("b.yaml", web.toString());
        assertThat(ips(restart(LedgerFixture.yaml("b"), web.toString()), "b")).hasSize(1);
    }

    /** JSON, which the journal has, does not allow half of a surrogate pair in a name. */
    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\udc00", "a\\ud800b"})
    void aKeyWithHalfACharacterDoesNotKeepTheLedgerFromBeingReadAgain(String half) throws IOException {
        String web = LedgerFixture.yaml("web") + "status: {conditions: [{\"" + half + "\": x}]}\n";
        put("a.yaml", LedgerFixture.yaml("b"));
        put("b.yaml", web);
        assertThat(ips(restart(LedgerFixture.yaml("b"), web), "b")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\udc00", "\\ud83d\\ude00"})
    void readsEscapedCharactersAgain(String escaped) throws IOException {
        String web = LedgerFixture.yaml("web") + "status: {conditions: [{type: \"" + escaped + "\"}]}\n";
        List<Ip> ips = ips(put("a.yaml", web), "web");
        assertThat(ips).hasSize(1);
        assertThat(ips(restart(web), "web")).isEqualTo(ips);
    }

    @Test
    void refusesAServiceThatIsTooLargeOnceItIsWrittenAsJson() throws IOException {
        put("a.yaml", LedgerFixture.yaml("a"));
        put("b.yaml", LedgerFixture.yaml("b", "loadBalancerIP: \"" + "\\e".repeat(1_450_000) + "\""));
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith("b.yaml:2 (document 1): ")
                .contains("the object takes more than 8000000 bytes as it is stored");
        assertThat(ledger.view().entries())
                .extracting(Entry::key)
                .contains(LedgerFixture.service("a"))
                .doesNotContain(LedgerFixture.service("b"));
        assertThat(ips(restart(LedgerFixture.yaml("a")), "a")).hasSize(1);
    }

    @Test
    void thePrimaryFamilyMayNotChangeTheRangeMay() throws IOException {
        ledger.close();
        assertThatThrownBy(() -> open("fd00:96::/112,10.96.0.0/24"))
                .isInstanceOf(LedgerMismatch.class)
                .hasMessageContaining("makes IPv6 the primary IP family")
                .hasMessageContaining("--service-cluster-ip-range");
        ledger = open("10.200.0.0/16");
        settle(List.of());
        assertThat(ledger.view().events())
                .extracting(event -> event.reason())
                .containsExactly("KubernetesDefaultServiceCIDRInconsistent");
    }

    /** Packets to unassigned addresses of these networks are refused. */
    @Test
    void networksFollowTheirServiceCidrAtOnceAndLeaveWhenItLeaves() {
        Store store = new Store();
        store.markSynced();
        Store.Cursor cursor = store.cursor(() -> {});
        IpPrefix more = IpPrefix.parse("10.97.0.0/24");
        store.apply(put("c.yaml", LedgerFixture.cidr("more", "10.97.0.0/24")));
        assertThat(networks(cursor)).contains(more);
        store.apply(put("a.yaml", LedgerFixture.yaml("web", "clusterIP: 10.97.0.9")));
        store.apply(settle(manifestIndex.remove("c.yaml")));
        assertThat(networks(cursor)).contains(more);
        now = now.plusSeconds(11);
        assertThat(settle(List.of())).isEmpty();
        store.apply(settle(manifestIndex.remove("a.yaml")));
        store.apply(settle(List.of()));
        assertThat(networks(cursor)).doesNotContain(more);
    }

    private static List<IpPrefix> networks(Store.Cursor cursor) {
        return cursor.take().orElseThrow().serviceCidrs().orElse(List.of());
    }

    @Test
    void aServiceCidrIsHandedOnAtOnceAndStaysWhileItIsNeeded() {
        ObjectKey key = new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", "more");
        assertThat(put("c.yaml", LedgerFixture.cidr("more", "10.97.0.0/24")))
                .extracting(Update::key)
                .containsExactly(key);
        put("a.yaml", LedgerFixture.yaml("web", "clusterIP: 10.97.0.9"));
        assertThat(settle(manifestIndex.remove("c.yaml")))
                .extracting(Update::key)
                .containsExactly(key);
        assertThat(ledger.view().waiting()).hasSize(1);
        assertThat(ledger.view().ranges()).anyMatch(fill -> !fill.ready() && fill.used() == 1);
    }
}
