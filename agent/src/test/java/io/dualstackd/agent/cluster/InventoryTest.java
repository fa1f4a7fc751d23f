package io.dualstackd.agent.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.api.ApiObject;
import io.dualstackd.agent.api.ObjectKey;
import io.dualstackd.agent.api.ServiceCidr;
import io.dualstackd.agent.source.Update;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the store is told, and when. */
final class InventoryTest {
    private final Set<ApiObject> stored = new HashSet<>();
    private final Inventory inventory = new Inventory(ObjectKey.Kind.SERVICE_CIDR, stored::contains);

    /** A store that takes what it is told. */
    private List<Update> take() {
        List<Update> due = List.copyOf(inventory.due());
        inventory.taken();
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

    private static Update put(String name) {
        return new Update.Put(object(name));
    }

    private static Update gone(String name) {
        return new Update.Gone(object(name).key());
    }

    private void filled() {
        inventory.beginList();
        inventory.put(object("a"), "1");
        inventory.put(object("b"), "2");
        inventory.endList();
        take();
    }

    @Test
    void theFirstListGoesOnAsItComes() {
        inventory.beginList();
        inventory.put(object("a"), "1");
        assertThat(take()).containsExactly(put("a"));
        inventory.put(object("b"), "2");
        assertThat(take()).containsExactly(put("b"));
        inventory.endList();
        assertThat(take()).isEmpty();
    }

    @Test
    void aFirstListThatBrokeIsCompared() {
        inventory.beginList();
        inventory.put(object("a"), "1");
        inventory.put(object("b"), "2");
        take();
        inventory.beginList();
        inventory.put(object("b"), "2");
        inventory.put(object("c"), "3");
        inventory.endList();
        assertThat(take()).containsExactly(put("c"), gone("a"));
    }

    @Test
    void aLaterListGoesOnAsOneAndOnlyItsDifferences() {
        filled();
        inventory.beginList();
        inventory.put(object("b"), "9");
        inventory.put(object("c"), "3");
        assertThat(take()).isEmpty();
        inventory.endList();
        assertThat(take()).containsExactlyInAnyOrder(gone("a"), put("b"), put("c"));
        assertThat(inventory.size()).isEqualTo(2);
    }

    @Test
    void aLaterListThatBrokeIsForgotten() {
        filled();
        inventory.beginList();
        inventory.put(object("c"), "3");
        inventory.beginList();
        inventory.put(object("a"), "1");
        inventory.put(object("b"), "2");
        inventory.endList();
        assertThat(take()).isEmpty();
    }

    @Test
    void whatAWatchSaysAgainIsNoNews() {
        filled();
        inventory.put(object("a"), "1");
        inventory.gone(object("x").key());
        assertThat(take()).isEmpty();
        inventory.put(object("a"), "5");
        inventory.gone(object("b").key());
        assertThat(take()).containsExactly(put("a"), gone("b"));
    }

    /** As after etcd was restored: versions are given a second time. */
    @Test
    void anEqualVersionOfSomethingElseIsNews() {
        filled();
        ServiceCidr other = new ServiceCidr("a", List.of(IpPrefix.parse("10.0.0.0/16")));
        inventory.beginList();
        inventory.put(other, "1");
        inventory.put(object("b"), "2");
        inventory.endList();
        assertThat(take()).containsExactly(new Update.Put(other));
        inventory.put(object("a"), "1");
        assertThat(take()).containsExactly(put("a"));
    }

    @Test
    void whatTheStoreDidNotTakeStaysDue() {
        filled();
        inventory.put(object("a"), "5");
        assertThat(inventory.due()).containsExactly(put("a"));
        inventory.put(object("c"), "6");
        assertThat(take()).containsExactly(put("a"), put("c"));
        assertThat(take()).isEmpty();
    }

    @Test
    void whatTheStoreRefusedIsOfferedAgainUnlessThereIsNews() {
        filled();
        inventory.put(object("c"), "5");
        inventory.put(object("d"), "6");
        inventory.taken();
        assertThat(inventory.refused(put("c"), "no")).isTrue();
        assertThat(inventory.refused(put("c"), "no")).isFalse();
        inventory.refused(put("d"), "no");
        assertThat(inventory.unreadable().keySet())
                .containsExactlyInAnyOrder(object("c").key(), object("d").key());
        inventory.gone(object("d").key());
        assertThat(take()).containsExactly(gone("d"));
        assertThat(inventory.tryAgain()).isTrue();
        assertThat(take()).containsExactly(put("c"));
        assertThat(inventory.tryAgain()).isFalse();
        inventory.taken(put("c"));
        assertThat(inventory.unreadable()).isEmpty();
    }

    @Test
    void whatCannotBeUsedStaysAsItWas() {
        filled();
        assertThat(inventory.unreadable(object("a").key(), "no")).isTrue();
        assertThat(inventory.unreadable(object("a").key(), "no")).isFalse();
        inventory.beginList();
        inventory.unreadable(object("a").key(), "no");
        inventory.put(object("b"), "2");
        inventory.endList();
        assertThat(take()).isEmpty();
        assertThat(inventory.unreadable()).containsOnlyKeys(object("a").key());

        inventory.put(object("a"), "1");
        assertThat(take()).containsExactly(put("a"));
        assertThat(inventory.unreadable()).isEmpty();
    }

    @Test
    void versionsAreNumbersOrAnything() {
        assertThat(Inventory.version("123456789012345678")).isEqualTo(123456789012345678L);
        assertThat(Inventory.version("abc"))
                .isNotEqualTo(Inventory.version("abd"))
                .isNotNegative();
        assertThat(Inventory.version("99999999999999999999999")).isNotNegative();
    }
}
