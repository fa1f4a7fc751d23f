package io.dualstackd.kubeapi.store.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Changes;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.store.StoreOverlay;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.netlink.ip.IpPrefix;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreTest {
    private final Store store = new Store();
    private final AtomicInteger signals = new AtomicInteger();

    private static ApiObject decode(String text) {
        return Manifests.decode("x", text).objects().getFirst().object();
    }

    private static Update service(String name, String ip) {
        return new Update.Put(decode("{apiVersion: v1, kind: Service, metadata: {name: " + name
                + "}, spec: {clusterIP: " + ip + ", ports: [{port: 80}]}}"));
    }

    private static Update slice(String name, String service, String ip) {
        return new Update.Put(decode("{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: " + name
                + ", labels: {kubernetes.io/service-name: " + service
                + "}}, addressType: IPv4, endpoints: [{addresses: ["
                + ip + "]}]}"));
    }

    private static Update node(String name, String zone) {
        return new Update.Put(decode("{apiVersion: v1, kind: Node, metadata: {name: " + name
                + ", labels: {topology.kubernetes.io/zone: " + zone + "}}}"));
    }

    private static Update gone(ObjectKey.Kind kind, String name) {
        return new Update.Gone(new ObjectKey(kind, kind.namespaced() ? "default" : "", name));
    }

    private static ServiceKey key(String name) {
        return new ServiceKey("default", name);
    }

    private static Changes take(Store.Cursor cursor) {
        return cursor.take().orElseThrow();
    }

    private static ServiceState state(Changes changes, String name) {
        return Objects.requireNonNull(changes.services().get(key(name)));
    }

    @Test
    void nothingIsHandedOutBeforeEverythingWasRead() {
        Store.Cursor cursor = store.cursor(signals::incrementAndGet);
        store.apply(List.of(service("a", "10.0.0.1")));
        assertThat(cursor.take()).isEmpty();
        assertThat(signals).hasValue(0);
        store.markSynced();
        assertThat(signals).hasValue(1);
        Changes changes = take(cursor);
        assertThat(changes.everything()).isTrue();
        assertThat(changes.services()).containsOnlyKeys(key("a"));
    }

    /** After a restart, another Service would get the destination. */
    @Test
    void holdersThatCannotBeSavedAreSavedWithTheNextChange(@TempDir Path state) throws Exception {
        Path file = state.resolve(HolderFile.DESTINATIONS);
        Path obstacle = Files.createDirectory(state.resolve("." + HolderFile.DESTINATIONS));
        Store kept = new Store(StoreOverlay.NOTHING, Optional.of(state));
        kept.apply(List.of(service("b", "10.0.0.1")));
        kept.apply(List.of(service("a", "10.0.0.1")));
        kept.markSynced();
        assertThat(file).doesNotExist();
        Files.delete(obstacle);
        kept.apply(List.of(node("n", "z")));
        assertThat(file).content().isEqualTo("default/b\t10.0.0.1:80/tcp\n");
    }

    @Test
    void externalIpsThatAreNotServedAreNotKept() {
        Update web = new Update.Put(decode("{apiVersion: v1, kind: Service, metadata: {name: web}, "
                + "spec: {clusterIP: 10.0.0.1, externalIPs: [192.0.2.1], ports: [{port: 80}]}}"));
        Update other = new Update.Put(decode("{apiVersion: v1, kind: Service, metadata: {name: other}, "
                + "spec: {clusterIP: 10.0.0.2, externalIPs: [192.0.2.1], ports: [{port: 80}]}}"));
        Store without = new Store(StoreOverlay.NOTHING, Optional.empty(), false);
        without.apply(List.of(web));
        assertThat(without.dryRun(List.of(other))).isEmpty();
        without.apply(List.of(other));
        without.markSynced();
        assertThat(without.services())
                .allSatisfy(state ->
                        assertThat(state.service().orElseThrow().externalIps()).isEmpty());
        assertThat(without.disputes()).isEmpty();
        // What a list repeats is no change.
        assertThat(without.has(((Update.Put) web).object())).isTrue();

        store.apply(List.of(web, other));
        assertThat(store.disputes()).hasSize(1);
    }

    @Test
    void whoReadsTheServicesByItselfIsToldOnlyWhatChanges() {
        Store.Cursor cursor = store.cursorOfChanges(signals::incrementAndGet);
        store.apply(List.of(service("a", "10.0.0.1"), service("b", "10.0.0.2")));
        store.markSynced();
        assertThat(signals).hasValue(1);
        Changes first = take(cursor);
        assertThat(first.services()).isEmpty();
        assertThat(first.serviceCidrs()).isPresent();
        assertThat(first.everything()).isFalse();
        store.apply(List.of(service("b", "10.0.0.3")));
        assertThat(signals).hasValue(2);
        assertThat(take(cursor).services()).containsOnlyKeys(key("b"));
    }

    @Test
    void aConsumerThatLostWhatItTookGetsEverything() {
        Store.Cursor cursor = store.cursor(signals::incrementAndGet);
        store.apply(List.of(service("a", "10.0.0.1")));
        store.markSynced();
        assertThat(take(cursor).everything()).isTrue();
        store.apply(List.of(service("b", "10.0.0.2")));
        assertThat(take(cursor).services()).containsOnlyKeys(key("b"));
        cursor.again();
        store.apply(List.of(service("c", "10.0.0.3")));
        assertThat(signals).hasValue(3);
        Changes changes = take(cursor);
        assertThat(changes.everything()).isTrue();
        assertThat(changes.services()).containsOnlyKeys(key("a"), key("b"), key("c"));
        assertThat(take(cursor).services()).isEmpty();
    }

    @Test
    void emptyStoreIsSynced() {
        store.markSynced();
        Store.Cursor cursor = store.cursor(signals::incrementAndGet);
        assertThat(signals).hasValue(1);
        assertThat(take(cursor)).satisfies(c -> {
            assertThat(c.everything()).isTrue();
            assertThat(c.services()).isEmpty();
            assertThat(isNothing(c)).isFalse();
        });
        assertThat(isNothing(take(cursor))).isTrue();
    }

    @Test
    void manyChangesAreOneNudgeAndOneEntry() {
        store.markSynced();
        Store.Cursor cursor = store.cursor(signals::incrementAndGet);
        take(cursor);
        signals.set(0);
        for (int i = 1; i < 50; i++) {
            store.apply(List.of(service("a", "10.0.0." + i)));
        }
        assertThat(signals).hasValue(1);
        Changes changes = take(cursor);
        assertThat(changes.everything()).isFalse();
        assertThat(changes.services()).hasSize(1);
        assertThat(state(changes, "a").service().orElseThrow().clusterIps().getFirst())
                .hasToString("10.0.0.49");
        store.apply(List.of(service("b", "10.0.1.1")));
        assertThat(signals).hasValue(2);
    }

    @Test
    void aSignalThatFailsKeepsNoneOfTheOthersBackAndIsGivenAgain() {
        store.markSynced();
        AtomicBoolean broken = new AtomicBoolean();
        AtomicInteger first = new AtomicInteger();
        Store.Cursor one = store.cursor(() -> {
            if (broken.get()) {
                throw new IllegalStateException("a mistake");
            }
            first.incrementAndGet();
        });
        Store.Cursor other = store.cursor(signals::incrementAndGet);
        take(one);
        take(other);
        first.set(0);
        signals.set(0);
        broken.set(true);
        assertThatThrownBy(() -> store.apply(List.of(service("a", "10.0.0.1")))).hasMessage("a mistake");
        assertThat(signals).hasValue(1);
        broken.set(false);
        store.apply(List.of(service("b", "10.0.0.2")));
        assertThat(first).hasValue(1);
        assertThat(take(one).services()).containsOnlyKeys(key("a"), key("b"));
    }

    /** The store has it by then. */
    @Test
    void aChangeThatTheOverlayFailsWithIsHandedOutNevertheless() {
        AtomicBoolean fails = new AtomicBoolean();
        Store some = new Store(
                new StoreOverlay() {
                    @Override
                    public void onReplaced(ServiceKey key, ServiceState now) {
                        if (fails.get()) {
                            throw new IllegalStateException("made up");
                        }
                    }
                },
                Optional.empty());
        Store.Cursor cursor = some.cursor(signals::incrementAndGet);
        some.apply(List.of(service("a", "10.0.0.1"), service("b", "10.0.0.2")));
        some.markSynced();
        assertThat(take(cursor).services()).hasSize(2);
        fails.set(true);
        assertThatThrownBy(() -> some.apply(List.of(service("b", "10.0.0.1")))).hasMessage("made up");
        fails.set(false);
        some.apply(List.of(service("c", "10.0.0.3")));
        assertThat(take(cursor).services()).containsOnlyKeys(key("b"), key("c"));
        assertThat(some.disputes()).hasSize(1);
    }

    @Test
    void eachConsumerHasItsOwnCursor() {
        store.markSynced();
        Store.Cursor v4 = store.cursor(() -> {});
        Store.Cursor v6 = store.cursor(() -> {});
        take(v4);
        store.apply(List.of(service("a", "10.0.0.1")));
        assertThat(take(v4).services()).hasSize(1);
        assertThat(take(v4).services()).isEmpty();
        assertThat(take(v6).everything()).isTrue();
        assertThat(take(v6).services()).isEmpty();
    }

    @Test
    void aChangeCostsWhatChanged() {
        for (int i = 0; i < 1_000; i++) {
            store.apply(List.of(service("s" + i, "10.1." + i / 250 + "." + (i % 250 + 1))));
        }
        store.markSynced();
        Store.Cursor cursor = store.cursor(() -> {});
        assertThat(take(cursor).services()).hasSize(1_000);
        store.apply(List.of(slice("x", "s7", "10.9.0.1")));
        assertThat(take(cursor).services()).containsOnlyKeys(key("s7"));
    }

    @Test
    void slicesFollowTheirLabel() {
        store.markSynced();
        Store.Cursor cursor = store.cursor(() -> {});
        store.apply(List.of(service("a", "10.0.0.1"), slice("x", "a", "10.9.0.1"), slice("y", "a", "10.9.0.2")));
        assertThat(state(take(cursor), "a").slices())
                .extracting(EndpointSlice::name)
                .containsExactly("x", "y");
        store.apply(List.of(slice("x", "b", "10.9.0.1")));
        Changes changes = take(cursor);
        assertThat(state(changes, "a").slices()).extracting(EndpointSlice::name).containsExactly("y");
        assertThat(state(changes, "b").service()).isEmpty();
        assertThat(state(changes, "b").slices()).hasSize(1);
        assertThat(store.size()).isEqualTo(new Store.Size(1, 2, 0));
    }

    @Test
    void deletionIsReportedOnce() {
        store.markSynced();
        Store.Cursor cursor = store.cursor(() -> {});
        store.apply(List.of(service("a", "10.0.0.1"), slice("x", "a", "10.9.0.1")));
        take(cursor);
        store.apply(List.of(gone(ObjectKey.Kind.SERVICE, "a")));
        assertThat(state(take(cursor), "a").isGone()).isFalse();
        store.apply(List.of(gone(ObjectKey.Kind.ENDPOINT_SLICE, "x")));
        assertThat(take(cursor).services()).containsEntry(key("a"), ServiceState.GONE);
        store.apply(List.of(gone(ObjectKey.Kind.ENDPOINT_SLICE, "x"), gone(ObjectKey.Kind.SERVICE, "a")));
        assertThat(isNothing(take(cursor))).isTrue();
        assertThat(store.size()).isEqualTo(new Store.Size(0, 0, 0));
    }

    @Test
    void nodes() {
        store.markSynced();
        Store.Cursor cursor = store.cursor(() -> {});
        store.apply(List.of(node("n1", "a")));
        assertThat(Objects.requireNonNull(take(cursor).nodes().get("n1"))
                        .orElseThrow()
                        .zone())
                .isEqualTo("a");
        store.apply(List.of(gone(ObjectKey.Kind.NODE, "n1"), gone(ObjectKey.Kind.NODE, "n2")));
        assertThat(take(cursor).nodes())
                .containsOnlyKeys("n1")
                .allSatisfy((k, v) -> assertThat(v).isEmpty());
    }

    private static Update cidrs(String name, String cidrs) {
        return new Update.Put(decode("{apiVersion: networking.k8s.io/v1, kind: ServiceCIDR, metadata: {name: " + name
                + "}, spec: {cidrs: [" + cidrs + "]}}"));
    }

    @Test
    void serviceCidrCausesNotification() {
        store.apply(List.of(cidrs("kubernetes", "10.96.0.0/16, 'fd00:10:96::/108'")));
        store.markSynced();
        Store.Cursor cursor = store.cursor(signals::incrementAndGet);
        IpPrefix four = IpPrefix.parse("10.96.0.0/16");
        IpPrefix six = IpPrefix.parse("fd00:10:96::/108");
        assertThat(take(cursor).serviceCidrs()).contains(List.of(four, six));
        signals.set(0);
        store.apply(List.of(cidrs("more", "10.97.0.0/16")));
        assertThat(signals).hasValue(1);
        assertThat(take(cursor).serviceCidrs()).contains(List.of(four, six, IpPrefix.parse("10.97.0.0/16")));
        store.apply(List.of(gone(ObjectKey.Kind.SERVICE_CIDR, "more"), gone(ObjectKey.Kind.SERVICE_CIDR, "none")));
        assertThat(signals).hasValue(2);
        assertThat(take(cursor).serviceCidrs()).contains(List.of(four, six));
        assertThat(isNothing(take(cursor))).isTrue();
    }

    @Test
    void nodeListenersAreNotifiedOfNodesOnly() {
        AtomicInteger notifications = new AtomicInteger();
        store.onNodes(notifications::incrementAndGet);
        store.apply(List.of(service("a", "10.0.0.1")));
        assertThat(notifications).hasValue(0);
        store.apply(List.of(node("n1", "a"), node("n2", "a")));
        assertThat(notifications).hasValue(1);
        store.apply(List.of(new Update.Gone(new ObjectKey(ObjectKey.Kind.NODE, "", "n1"))));
        assertThat(notifications).hasValue(2);
        store.apply(List.of(new Update.Gone(new ObjectKey(ObjectKey.Kind.NODE, "", "n1"))));
        assertThat(notifications).hasValue(2);
    }

    private static boolean isNothing(Changes changes) {
        return !changes.everything()
                && changes.services().isEmpty()
                && changes.nodes().isEmpty()
                && changes.serviceCidrs().isEmpty();
    }
}
