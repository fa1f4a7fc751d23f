package io.dualstackd.agent.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.api.ObjectKey;
import io.dualstackd.agent.api.ServiceCidr;
import io.dualstackd.agent.source.Update;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the store is told, and when. */
final class InventoryTest {
    private final Inventory inventory = new Inventory(ObjectKey.Kind.SERVICE_CIDR);

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
        inventory.take();
    }

    @Test
    void theFirstListGoesOnAsItComes() {
        inventory.beginList();
        inventory.put(object("a"), "1");
        assertThat(inventory.take()).containsExactly(put("a"));
        inventory.put(object("b"), "2");
        assertThat(inventory.take()).containsExactly(put("b"));
        inventory.endList();
        assertThat(inventory.take()).isEmpty();
    }

    @Test
    void aFirstListThatBrokeIsCompared() {
        inventory.beginList();
        inventory.put(object("a"), "1");
        inventory.put(object("b"), "2");
        inventory.take();
        inventory.beginList();
        inventory.put(object("b"), "2");
        inventory.put(object("c"), "3");
        inventory.endList();
        assertThat(inventory.take()).containsExactly(put("c"), gone("a"));
    }

    @Test
    void aLaterListGoesOnAsOneAndOnlyItsDifferences() {
        filled();
        inventory.beginList();
        inventory.put(object("b"), "9");
        inventory.put(object("c"), "3");
        assertThat(inventory.take()).isEmpty();
        inventory.endList();
        assertThat(inventory.take()).containsExactlyInAnyOrder(gone("a"), put("b"), put("c"));
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
        assertThat(inventory.take()).isEmpty();
    }

    @Test
    void whatAWatchSaysAgainIsNoNews() {
        filled();
        inventory.put(object("a"), "1");
        inventory.gone(object("x").key());
        assertThat(inventory.take()).isEmpty();
        inventory.put(object("a"), "5");
        inventory.gone(object("b").key());
        assertThat(inventory.take()).containsExactly(put("a"), gone("b"));
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
        assertThat(inventory.take()).isEmpty();
        assertThat(inventory.unreadable()).containsOnlyKeys(object("a").key());

        inventory.put(object("a"), "1");
        assertThat(inventory.take()).containsExactly(put("a"));
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
