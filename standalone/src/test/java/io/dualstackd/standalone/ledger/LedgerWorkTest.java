package io.dualstackd.standalone.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.netlink.ip.IpPrefix;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What giving addresses costs, counted in draws of the lot: each look at a network that could give one is one. Times are for the bench. */
@Tag("slow")
final class LedgerWorkTest {
    private static final int SERVICES = 10_000;
    private static final int NETWORKS = 1_000;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** Counts. */
    private static final class Lot extends Random {
        private static final long serialVersionUID = 1;
        private long draws;

        @Override
        public long nextLong() {
            draws++;
            return super.nextLong();
        }

        long drawsSince(long before) {
            return draws - before;
        }
    }

    private static List<Update> services(int from, int to) {
        List<Update> updates = new ArrayList<>();
        for (int i = from; i < to; i++) {
            updates.addAll(LedgerFixture.updates(LedgerFixture.yaml("s" + i)));
        }
        return updates;
    }

    /** Two draws are the uid's. */
    private static long drawsForOne(Ledger ledger, Lot lot, int number) {
        long before = lot.draws;
        ledger.admit(services(number, number + 1), NOW, 2);
        ledger.commit();
        assertThat(ledger.refused()).isEmpty();
        return lot.drawsSince(before) - 2;
    }

    @Test
    void tenThousandServicesAndAThousandNetworks() {
        Lot lot = new Lot();
        Ledger ledger = new Ledger(LedgerFixture.settings("10.0.0.0/28"), lot, List.of());
        List<Update> updates = new ArrayList<>();
        for (int i = 1; i < NETWORKS; i++) {
            updates.add(new Update.Put(
                    new ServiceCidr("c" + i, List.of(IpPrefix.parse("10.0." + i / 16 + "." + i % 16 * 16 + "/28")))));
        }
        updates.addAll(services(0, SERVICES));
        List<LedgerChange> changes = ledger.admit(updates, NOW, 1);
        ledger.commit();
        assertThat(ledger.refused()).isEmpty();
        assertThat(changes).hasSize(2 * SERVICES + NETWORKS);
        assertThat(lot.draws).isEqualTo(3L * SERVICES);
        assertThat(drawsForOne(ledger, lot, SERVICES)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/24", "10.0.0.0/8", "fd00::/112", "fd00::/64"})
    void theSizeOfANetworkCostsNothing(String network) {
        Lot lot = new Lot();
        Ledger ledger = new Ledger(LedgerFixture.settings(network), lot, List.of());
        ledger.admit(services(0, 200), NOW, 1);
        ledger.commit();
        assertThat(drawsForOne(ledger, lot, 200)).isEqualTo(1);
    }

    @Test
    void exhaustionIsKnownAtOnce() {
        Lot lot = new Lot();
        Ledger ledger = new Ledger(LedgerFixture.settings("10.0.0.0/24"), lot, List.of());
        ledger.admit(services(0, 254), NOW, 1);
        ledger.commit();
        long before = lot.draws;
        ledger.admit(services(254, 255), NOW, 2);
        ledger.commit();
        assertThat(ledger.refused()).hasSize(1);
        assertThat(lot.drawsSince(before)).isZero();
    }
}
