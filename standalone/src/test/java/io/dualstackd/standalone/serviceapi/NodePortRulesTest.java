package io.dualstackd.standalone.serviceapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.standalone.allocation.PortPool;
import io.dualstackd.standalone.serviceapi.NodePortRules.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class NodePortRulesTest {
    private final PortPool pool = new PortPool(30_000, 32_767);
    private final NodePortRules rules = new NodePortRules(pool, new Random(3));

    private static PortFields tcp(int port, int nodePort) {
        return new PortFields("tcp-" + port, Proto.TCP, port, nodePort);
    }

    private static PortFields udp(int port, int nodePort) {
        return new PortFields("udp-" + port, Proto.UDP, port, nodePort);
    }

    private static List<Integer> numbers(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Given.class);
        return ((Answer.Given) answer)
                .ports().stream().map(PortFields::nodePort).toList();
    }

    private void denied(Answer answer, String rejection) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Denied.class,
                        denied -> assertThat(denied.rejection()).hasToString(rejection));
    }

    @Test
    void allocatesFromTheDynamicBand() {
        List<Integer> numbers = numbers(rules.create(List.of(tcp(80, 0), tcp(443, 0)), true));
        assertThat(numbers).doesNotHaveDuplicates().allMatch(number -> number >= 30_086 && number <= 32_767);
        assertThat(numbers).allMatch(pool::isUsed);
    }

    @Test
    void allocatesRequestedPorts() {
        assertThat(numbers(rules.create(List.of(tcp(80, 30_080), tcp(443, 30_443)), true)))
                .containsExactly(30_080, 30_443);
        denied(rules.create(List.of(tcp(80, 30_080)), true), "spec.ports[0].nodePort: \"30080\": is already allocated");
    }

    @Test
    void oneNumberForTwoPortsIsRefused() {
        denied(
                rules.create(List.of(tcp(80, 30_080), tcp(443, 30_080)), true),
                "spec.ports[1].nodePort: \"30080\": is used twice for tcp");
        denied(
                rules.create(List.of(tcp(93, 30_093), udp(76, 30_093)), true),
                "spec.ports[1].nodePort: \"30093\": is used for port 93, too; only one port with several protocols may share it");
        assertThat(pool.used()).as("nothing is kept of a refused Service").isZero();
    }

    @Test
    void twoProtocolsOfOnePortShareANumber() {
        List<Integer> numbers = numbers(rules.create(List.of(tcp(53, 0), udp(53, 0)), true));
        assertThat(numbers.getFirst()).isEqualTo(numbers.getLast());
        assertThat(pool.used()).isEqualTo(1);
        assertThat(numbers(rules.create(List.of(tcp(53, 30_053), udp(53, 30_053)), true)))
                .containsExactly(30_053, 30_053);
        assertThat(numbers(rules.create(List.of(tcp(53, 30_054), udp(53, 30_055)), true)))
                .containsExactly(30_054, 30_055);
        assertThat(numbers(rules.create(List.of(tcp(53, 30_056), udp(53, 0)), true)))
                .containsExactly(30_056, 30_056);
    }

    @Test
    void theLotNeverFallsOnANumberThatALaterEntryNames() {
        PortPool two = new PortPool(30_000, 30_001);
        for (int seed = 0; seed < 20; seed++) {
            NodePortRules few = new NodePortRules(two, new Random(seed));
            assertThat(numbers(few.create(List.of(tcp(80, 0), tcp(443, 30_001)), true)))
                    .containsExactly(30_000, 30_001);
            two.giveBack(30_000);
            two.giveBack(30_001);
        }
    }

    @Test
    void outsideTheRangeIsRefused() {
        denied(
                rules.create(List.of(tcp(80, 29_999)), true),
                "spec.ports[0].nodePort: \"29999\": the valid range of node ports is 30000-32767");
    }

    @Test
    void updateKeepsPortsAndReportsUnusedOnes() {
        rules.create(List.of(tcp(80, 30_080), tcp(443, 30_443)), true);
        Answer answer = rules.update(List.of(tcp(80, 30_080), tcp(8443, 30_500)), Set.of(30_080, 30_443), true);
        assertThat(answer)
                .isEqualTo(
                        new Answer.Given(List.of(tcp(80, 30_080), tcp(8443, 30_500)), Set.of(30_500), Set.of(30_443)));
        assertThat(pool.isUsed(30_443)).as("until the change is stored").isTrue();
    }

    @Test
    void anUpdateGivesEachNewPortANumberOfItsOwn() {
        List<Integer> numbers = numbers(rules.update(List.of(tcp(53, 0), udp(53, 0)), Set.of(), true));
        assertThat(numbers).doesNotHaveDuplicates();
    }

    @Test
    void anUpdateMayBringPortsTogether() {
        assertThat(numbers(rules.update(List.of(tcp(93, 30_093), udp(76, 30_093)), Set.of(), true)))
                .containsExactly(30_093, 30_093);
        denied(
                rules.update(List.of(tcp(93, 30_094), tcp(76, 30_094)), Set.of(), true),
                "spec.ports[1].nodePort: \"30094\": is used twice for tcp");
    }

    @Test
    void withoutNodePortsOnlyRequestedOnesAreAllocated() {
        assertThat(numbers(rules.create(List.of(tcp(80, 0), tcp(443, 30_443)), false)))
                .containsExactly(0, 30_443);
        Answer answer = rules.update(List.of(tcp(80, 0), tcp(443, 0)), Set.of(30_443), false);
        assertThat(answer).isEqualTo(new Answer.Given(List.of(tcp(80, 0), tcp(443, 0)), Set.of(), Set.of(30_443)));
    }

    @Test
    void aRefusedUpdateChangesNothing() {
        rules.create(List.of(tcp(80, 30_080)), true);
        rules.create(List.of(tcp(80, 30_081)), true);
        denied(
                rules.update(List.of(tcp(80, 30_090), tcp(81, 30_081)), Set.of(30_080), true),
                "spec.ports[1].nodePort: \"30081\": is already allocated");
        assertThat(pool.isUsed(30_090)).isFalse();
        assertThat(pool.isUsed(30_080)).isTrue();
    }

    @Test
    void fullRangeFailsAtOnce() {
        PortPool small = new PortPool(30_000, 30_001);
        NodePortRules few = new NodePortRules(small, new Random(5));
        List<PortFields> wishes = new ArrayList<>(List.of(tcp(1, 0), tcp(2, 0), tcp(3, 0)));
        denied(
                few.create(wishes, true),
                "spec.ports[2].nodePort: no node port is free: all of 30000-30001 are allocated");
        assertThat(small.free()).isEqualTo(2);
    }
}
