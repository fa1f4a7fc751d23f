package io.dualstackd.agent.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.watch.ChangeAuthor;
import io.dualstackd.dataplane.watch.ChangedObject;
import io.dualstackd.dataplane.watch.ExternalChange;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RepairsTest {
    private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
    private static final TableName NAT = new TableName(NftFamily.IP, "nat");
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Repairs repairs = new Repairs();
    private Instant now = START;

    private static ExternalChange of(ChangedObject change) {
        return new ExternalChange(Set.of(change), new ChangeAuthor("kube-proxy", 4711));
    }

    private static ChangedObject rules(String chain) {
        return new ChangedObject.InRules(NAT.chain(chain));
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    private Set<ChangedObject> disturb(ChangedObject change) {
        repairs.add(of(change));
        return repairs.due(now);
    }

    private void fight() {
        for (int i = 0; i <= Repairs.PATIENCE; i++) {
            assertThat(disturb(rules("KUBE-SERVICES"))).isNotEmpty();
            pass(Duration.ofSeconds(1));
        }
        assertThat(repairs.contested()).isPresent();
    }

    @Test
    void aChangeIsRepairedAtOnceAndOnce() {
        assertThat(repairs.due(now)).isEmpty();
        assertThat(repairs.wait(now, LONG)).isEqualTo(LONG);
        repairs.add(of(rules("KUBE-SERVICES")));
        repairs.add(of(rules("KUBE-SERVICES")));
        assertThat(repairs.wait(now, LONG)).isZero();
        assertThat(repairs.due(now)).containsExactly(rules("KUBE-SERVICES"));
        assertThat(repairs.due(now)).isEmpty();
        assertThat(repairs.changeAuthor()).hasToString("kube-proxy (4711)");
    }

    @Test
    void differentThingsAreNoFight() {
        for (int i = 0; i < 100; i++) {
            assertThat(disturb(rules("KUBE-SVC-" + i))).isNotEmpty();
        }
        assertThat(repairs.contested()).isEmpty();
    }

    @Test
    void theSameThingNowAndThenIsNoFight() {
        for (int i = 0; i < 100; i++) {
            assertThat(disturb(rules("KUBE-SERVICES"))).isNotEmpty();
            pass(Duration.ofSeconds(3));
        }
        assertThat(repairs.contested()).isEmpty();
    }

    @Test
    void aFightGetsSlowerAndSlower() {
        fight();
        assertThat(repairs.contested().orElseThrow().what()).isEqualTo("rules in ip nat KUBE-SERVICES");
        Instant begun = now;
        int answers = 0;
        while (now.isBefore(begun.plus(Duration.ofMinutes(10)))) {
            answers += disturb(rules("KUBE-SERVICES")).isEmpty() ? 0 : 1;
            pass(Duration.ofMillis(100));
        }
        assertThat(answers).isBetween(20, 25);
        assertThat(repairs.contested().orElseThrow().pause()).isEqualTo(Duration.ofSeconds(30));
        assertThat(repairs.contested().orElseThrow().repairs()).isEqualTo(answers);
    }

    @Test
    void whatWaitsIsRepairedWhenTheFightIsOver() {
        fight();
        disturb(rules("KUBE-SERVICES"));
        disturb(rules("KUBE-SERVICES"));
        Duration wait = repairs.wait(now, LONG);
        assertThat(wait).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(4));
        pass(wait);
        assertThat(repairs.due(now)).containsExactly(rules("KUBE-SERVICES"));
        pass(repairs.wait(now, LONG));
        assertThat(repairs.due(now)).isEmpty();
        assertThat(repairs.contested()).isEmpty();
        assertThat(disturb(rules("KUBE-SERVICES"))).isNotEmpty();
        assertThat(repairs.contested()).isEmpty();
    }

    @Test
    void newsLostAgainAndAgainAreAFightToo() {
        for (int i = 0; i <= Repairs.PATIENCE; i++) {
            repairs.add(ExternalChange.UNKNOWN);
            assertThat(repairs.due(now)).containsExactly(new ChangedObject.Anything());
        }
        assertThat(repairs.contested()).isPresent();
        repairs.add(ExternalChange.UNKNOWN);
        assertThat(repairs.due(now)).isEmpty();
    }
}
