package io.dualstackd.kubeapi.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which updates reach the store, and when. */
final class VersionTrackerTest {
    private final Set<ApiObject> stored = new HashSet<>();
    private final VersionTracker versionTracker = new VersionTracker(ObjectKey.Kind.SERVICE_CIDR, stored::contains);

    /** A store that accepts every update. */
    private List<Update> take() {
        List<Update> due = List.copyOf(versionTracker.due());
        versionTracker.taken();
        for (Update update : due) {
            stored.removeIf(object -> object.key().equals(update.key()));
            if (update instanceof Update.Put(ApiObject object)) {
                stored.add(object);
            }
        }
        return due;
    }

    private static ServiceCidr object(String name) {
        return new ServiceCidr(name, List.of(IpPrefix.parse("10.0.0.0/8")));
    }

    /** A restored server may have given the same version to another content. */
    @Test
    void letsASliceGoThatLostItsServiceUnderTheSameVersion() {
        Store store = new Store();
        VersionTracker slices = new VersionTracker(ObjectKey.Kind.ENDPOINT_SLICE, store::has);
        for (Optional<String> service : List.of(Optional.of("web"), Optional.<String>empty())) {
            slices.beginList();
            slices.put(
                    new EndpointSlice(
                            "shop",
                            "web-1",
                            service,
                            false,
                            EndpointSlice.AddressType.IPV4,
                            List.of(),
                            List.of(),
                            Optional.empty()),
                    "100");
            slices.endList();
            store.apply(List.copyOf(slices.due()));
            slices.taken();
        }
        assertThat(store.service(new ServiceKey("shop", "web")).slices()).isEmpty();
    }

    private static Update put(String name) {
        return new Update.Put(object(name));
    }

    private static Update gone(String name) {
        return new Update.Gone(object(name).key());
    }

    private void filled() {
        versionTracker.beginList();
        versionTracker.put(object("a"), "1");
        versionTracker.put(object("b"), "2");
        versionTracker.endList();
        take();
    }

    @Test
    void firstListIsDeliveredAsItArrives() {
        versionTracker.beginList();
        versionTracker.put(object("a"), "1");
        assertThat(take()).containsExactly(put("a"));
        versionTracker.put(object("b"), "2");
        assertThat(take()).containsExactly(put("b"));
        versionTracker.endList();
        assertThat(take()).isEmpty();
    }

    @Test
    void aFirstListThatBrokeIsCompared() {
        versionTracker.beginList();
        versionTracker.put(object("a"), "1");
        versionTracker.put(object("b"), "2");
        take();
        versionTracker.beginList();
        versionTracker.put(object("b"), "2");
        versionTracker.put(object("c"), "3");
        versionTracker.endList();
        assertThat(take()).containsExactly(put("c"), gone("a"));
    }

    @Test
    void aLaterListGoesOnAsOneAndOnlyItsDifferences() {
        filled();
        versionTracker.beginList();
        versionTracker.put(object("b"), "9");
        versionTracker.put(object("c"), "3");
        assertThat(take()).isEmpty();
        versionTracker.endList();
        assertThat(take()).containsExactlyInAnyOrder(gone("a"), put("b"), put("c"));
        assertThat(versionTracker.size()).isEqualTo(2);
    }

    /** In a list that is streamed, an object may be deleted and made again before all are known. */
    @Test
    void whatIsReplacedDuringALaterListIsNeverGone() {
        filled();
        versionTracker.beginList();
        versionTracker.put(object("a"), "1");
        versionTracker.put(object("b"), "2");
        versionTracker.gone(object("a").key());
        versionTracker.gone(object("b").key());
        versionTracker.put(object("a"), "7");
        assertThat(take()).isEmpty();
        versionTracker.endList();
        assertThat(take()).containsExactlyInAnyOrder(gone("b"), put("a"));
    }

    @Test
    void aLaterListThatBrokeIsForgotten() {
        filled();
        versionTracker.beginList();
        versionTracker.put(object("c"), "3");
        versionTracker.beginList();
        versionTracker.put(object("a"), "1");
        versionTracker.put(object("b"), "2");
        versionTracker.endList();
        assertThat(take()).isEmpty();
    }

    @Test
    void repeatedWatchEventIsNoChange() {
        filled();
        versionTracker.put(object("a"), "1");
        versionTracker.gone(object("x").key());
        assertThat(take()).isEmpty();
        versionTracker.put(object("a"), "5");
        versionTracker.gone(object("b").key());
        assertThat(take()).containsExactly(put("a"), gone("b"));
    }

    /** As after etcd was restored: versions are given a second time. */
    @Test
    void equalVersionOfAnotherObjectIsAChange() {
        filled();
        ServiceCidr other = new ServiceCidr("a", List.of(IpPrefix.parse("10.0.0.0/16")));
        versionTracker.beginList();
        versionTracker.put(other, "1");
        versionTracker.put(object("b"), "2");
        versionTracker.endList();
        assertThat(take()).containsExactly(new Update.Put(other));
        versionTracker.put(object("a"), "1");
        assertThat(take()).containsExactly(put("a"));
    }

    @Test
    void failedUpdateStaysDue() {
        filled();
        versionTracker.put(object("a"), "5");
        assertThat(versionTracker.due()).containsExactly(put("a"));
        versionTracker.put(object("c"), "6");
        assertThat(take()).containsExactly(put("a"), put("c"));
        assertThat(take()).isEmpty();
    }

    @Test
    void failedUpdateIsRetriedUnlessSuperseded() {
        filled();
        versionTracker.put(object("c"), "5");
        versionTracker.put(object("d"), "6");
        versionTracker.taken();
        assertThat(versionTracker.refused(put("c"), "no")).isTrue();
        assertThat(versionTracker.refused(put("c"), "no")).isFalse();
        versionTracker.refused(put("d"), "no");
        assertThat(versionTracker.unreadable())
                .containsExactly(object("c").key() + ": no", object("d").key() + ": no");
        versionTracker.gone(object("d").key());
        assertThat(take()).containsExactly(gone("d"));
        assertThat(versionTracker.tryAgain()).isTrue();
        assertThat(take()).containsExactly(put("c"));
        assertThat(versionTracker.tryAgain()).isFalse();
        versionTracker.taken(put("c"));
        assertThat(versionTracker.unreadable()).isEmpty();
    }

    /** It was deleted while nothing was watched. */
    @Test
    void whatCannotBeUsedAndIsNotInTheNextListIsNotReportedAnyMore() {
        filled();
        ObjectKey bad = object("bad").key();
        ObjectKey worse = object("worse").key();
        versionTracker.unreadable(bad, "no");
        versionTracker.unreadable(worse, "no");
        versionTracker.beginList();
        versionTracker.put(object("a"), "1");
        versionTracker.put(object("b"), "2");
        versionTracker.unreadable(worse, "no");
        versionTracker.endList();
        assertThat(take()).isEmpty();
        assertThat(versionTracker.unreadable()).containsExactly(worse + ": no");
    }

    /** An object that is deleted and made again, or changed twice, is two updates of one batch. */
    @Test
    void whatTheStoreTookOutdatesWhatItDidNotTakeBefore() {
        filled();
        ServiceCidr made = new ServiceCidr("a", List.of(IpPrefix.parse("10.0.0.0/16")));
        versionTracker.gone(object("a").key());
        versionTracker.put(made, "6");
        assertThat(versionTracker.due()).containsExactly(gone("a"), new Update.Put(made));
        versionTracker.refused(gone("a"), "no");
        versionTracker.taken(new Update.Put(made));
        versionTracker.taken();
        assertThat(versionTracker.tryAgain()).isFalse();
        assertThat(versionTracker.due()).isEmpty();
        assertThat(versionTracker.unreadable()).isEmpty();
    }

    @Test
    void unusableObjectKeepsItsPreviousState() {
        filled();
        assertThat(versionTracker.unreadable(object("a").key(), "no")).isTrue();
        assertThat(versionTracker.unreadable(object("a").key(), "no")).isFalse();
        versionTracker.beginList();
        versionTracker.unreadable(object("a").key(), "no");
        versionTracker.put(object("b"), "2");
        versionTracker.endList();
        assertThat(take()).isEmpty();
        assertThat(versionTracker.unreadable()).containsExactly(object("a").key() + ": no");

        versionTracker.put(object("a"), "1");
        assertThat(take()).containsExactly(put("a"));
        assertThat(versionTracker.unreadable()).isEmpty();
    }

    /** Otherwise a snapshot would be written without the objects of which nothing is remembered. */
    @Test
    void withMoreUnusableObjectsThanAreKeptNotEverythingIsStored() {
        filled();
        take();
        assertThat(versionTracker.isStored()).isTrue();
        for (int i = 0; i <= 100; i++) {
            versionTracker.unreadable(object("bad-" + i).key(), "no");
        }
        for (int i = 0; i < 100; i++) {
            versionTracker.gone(object("bad-" + i).key());
        }
        assertThat(versionTracker.unreadable()).isEmpty();
        assertThat(versionTracker.isStored()).isFalse();

        versionTracker.beginList();
        versionTracker.put(object("a"), "1");
        versionTracker.put(object("b"), "2");
        versionTracker.endList();
        assertThat(versionTracker.isStored()).isTrue();
    }

    @Test
    void versionsAreNumbersOrAnything() {
        assertThat(VersionTracker.version("123456789012345678")).isEqualTo(123456789012345678L);
        assertThat(VersionTracker.version("abc"))
                .isNotEqualTo(VersionTracker.version("abd"))
                .isNotNegative();
        assertThat(VersionTracker.version("99999999999999999999999")).isNotNegative();
    }

    /** It was refused while a list was received that has a later version of it, and the store takes that one. */
    @Test
    void whatTheListPutInForceIsNoLongerUnusable() {
        filled();
        versionTracker.put(object("a"), "3");
        versionTracker.refused(put("a"), "cannot be put in force");
        versionTracker.taken();
        versionTracker.beginList();
        versionTracker.put(object("a"), "4");
        versionTracker.put(object("b"), "2");
        assertThat(versionTracker.tryAgain()).isTrue();
        versionTracker.refused(put("a"), "cannot be put in force");
        versionTracker.taken();
        versionTracker.endList();
        assertThat(take()).containsExactly(put("a"));
        assertThat(versionTracker.unreadable()).isEmpty();
    }

    /** As after etcd was restored: what the store could not take of it is outdated, although the version is the same. */
    @Test
    void anotherObjectOfTheVersionThatWasRefusedIsAChange() {
        filled();
        ServiceCidr refused = new ServiceCidr("a", List.of(IpPrefix.parse("10.0.0.0/16")));
        ServiceCidr other = new ServiceCidr("a", List.of(IpPrefix.parse("10.0.0.0/24")));
        for (ServiceCidr listed : List.of(other, object("a"))) {
            versionTracker.put(refused, "5");
            versionTracker.refused(new Update.Put(refused), "no");
            versionTracker.taken();
            versionTracker.beginList();
            versionTracker.put(listed, "5");
            versionTracker.put(object("b"), "2");
            versionTracker.endList();
            take();
            assertThat(versionTracker.tryAgain()).isFalse();
            assertThat(versionTracker.unreadable()).isEmpty();
            assertThat(stored).contains(listed);
            versionTracker.put(object("a"), "6");
            take();
        }
    }
}
