package io.dualstackd.dataplane.diff;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.rules.iptables.Table;
import org.junit.jupiter.api.Test;

final class RulesByTableTest {
    @Test
    void sumsAndDifferencesAreThoseOfEachTable() {
        long before = RulesByTable.of(Table.NAT, 700_000) + RulesByTable.of(Table.FILTER, 3);
        long now = before - RulesByTable.of(Table.NAT, 699_999) + RulesByTable.of(Table.MANGLE, 2_000_000);
        assertThat(RulesByTable.in(Table.NAT, now)).isEqualTo(1);
        assertThat(RulesByTable.in(Table.FILTER, now)).isEqualTo(3);
        assertThat(RulesByTable.in(Table.MANGLE, now)).isEqualTo(2_000_000);
        assertThat(RulesByTable.all(now)).isEqualTo(2_000_004);
    }
}
