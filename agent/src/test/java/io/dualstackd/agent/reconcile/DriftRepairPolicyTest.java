package io.dualstackd.agent.reconcile;

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

final class DriftRepairPolicyTest {
    private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
    private static final TableName NAT = new TableName(NftFamily.IP, "nat");
    private static final Duration LONG = Duration.ofMinutes(1);

    private final DriftRepairPolicy driftRepairPolicy = new DriftRepairPolicy();
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
        driftRepairPolicy.add(of(change));
        return driftRepairPolicy.due(now);
    }

    private void fight() {
        for (int i = 0; i <= DriftRepairPolicy.TOLERATED_REPAIRS; i++) {
            assertThat(disturb(rules("KUBE-SERVICES"))).isNotEmpty();
            pass(Duration.ofSeconds(1));
        }
        assertThat(driftRepairPolicy.contested()).isPresent();
    }

    @Test
    void aChangeIsRepairedAtOnceAndOnce() {
        assertThat(driftRepairPolicy.due(now)).isEmpty();
        assertThat(driftRepairPolicy.wait(now, LONG)).isEqualTo(LONG);
        driftRepairPolicy.add(of(rules("KUBE-SERVICES")));
        driftRepairPolicy.add(of(rules("KUBE-SERVICES")));
        assertThat(driftRepairPolicy.wait(now, LONG)).isZero();
        assertThat(driftRepairPolicy.due(now)).containsExactly(rules("KUBE-SERVICES"));
        assertThat(driftRepairPolicy.due(now)).isEmpty();
        assertThat(driftRepairPolicy.changeAuthor()).hasToString("kube-proxy (4711)");
    }

    @Test
    void changesOfDifferentObjectsAreNoContest() {
        for (int i = 0; i < 100; i++) {
            assertThat(disturb(rules("KUBE-SVC-" + i))).isNotEmpty();
        }
        assertThat(driftRepairPolicy.contested()).isEmpty();
    }

    @Test
    void occasionalChangesAreNoContest() {
        for (int i = 0; i < 100; i++) {
            assertThat(disturb(rules("KUBE-SERVICES"))).isNotEmpty();
            pass(Duration.ofSeconds(3));
        }
        assertThat(driftRepairPolicy.contested()).isEmpty();
    }

    @Test
    void repairsOfContestedRulesBackOff() {
        fight();
        assertThat(driftRepairPolicy.contested().orElseThrow().what()).isEqualTo("rules in ip nat KUBE-SERVICES");
        Instant begun = now;
        int answers = 0;
        while (now.isBefore(begun.plus(Duration.ofMinutes(10)))) {
            answers += disturb(rules("KUBE-SERVICES")).isEmpty() ? 0 : 1;
            pass(Duration.ofMillis(100));
        }
        assertThat(answers).isBetween(20, 25);
        assertThat(driftRepairPolicy.contested().orElseThrow().pause()).isEqualTo(Duration.ofSeconds(30));
        assertThat(driftRepairPolicy.contested().orElseThrow().repairs()).isEqualTo(answers);
    }

    @Test
    void pendingRepairRunsAfterContest() {
        fight();
        disturb(rules("KUBE-SERVICES"));
        disturb(rules("KUBE-SERVICES"));
        Duration wait = driftRepairPolicy.wait(now, LONG);
        assertThat(wait).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(4));
        pass(wait);
        assertThat(driftRepairPolicy.due(now)).containsExactly(rules("KUBE-SERVICES"));
        pass(driftRepairPolicy.wait(now, LONG));
        assertThat(driftRepairPolicy.due(now)).isEmpty();
        assertThat(driftRepairPolicy.contested()).isEmpty();
        assertThat(disturb(rules("KUBE-SERVICES"))).isNotEmpty();
        assertThat(driftRepairPolicy.contested()).isEmpty();
    }

    @Test
    void repeatedlyLostNotificationsCountAsContest() {
        for (int i = 0; i <= DriftRepairPolicy.TOLERATED_REPAIRS; i++) {
            driftRepairPolicy.add(ExternalChange.UNKNOWN);
            assertThat(driftRepairPolicy.due(now)).containsExactly(new ChangedObject.Anything());
        }
        assertThat(driftRepairPolicy.contested()).isPresent();
        driftRepairPolicy.add(ExternalChange.UNKNOWN);
        assertThat(driftRepairPolicy.due(now)).isEmpty();
    }
}
