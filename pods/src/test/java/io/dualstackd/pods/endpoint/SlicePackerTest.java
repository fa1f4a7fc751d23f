package io.dualstackd.pods.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.pods.endpoint.SliceDraft.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
final class SlicePackerTest {
    private static final List<EndpointSlice.Port> HTTP = ports(80);
    private static final List<EndpointSlice.Port> OTHER = ports(8080);

    private static List<EndpointSlice.Port> ports(int number) {
        return List.of(new EndpointSlice.Port(Optional.of("http"), Proto.TCP, OptionalInt.of(number)));
    }

    private static Member member(int n, boolean ready) {
        return new Member(
                new PodRef("shop", "p" + n, "u" + n),
                new EndpointSlice.Endpoint(
                        Ip.parse("10.0." + n / 256 + "." + n % 256),
                        new EndpointSlice.Conditions(Optional.of(ready), Optional.of(ready), Optional.of(false)),
                        "n1",
                        Set.of(),
                        Set.of()));
    }

    private static List<Member> members(int from, int to) {
        return IntStream.range(from, to).mapToObj(n -> member(n, true)).toList();
    }

    private static List<SliceDraft> next(List<SliceDraft> before, Collection<Member> wanted) {
        return SlicePacker.next(IpFamily.IPV4, before, Map.of(HTTP, wanted));
    }

    private static List<Integer> sizes(List<SliceDraft> drawers) {
        return drawers.stream().map(sliceDraft -> sliceDraft.members().size()).toList();
    }

    private static long changed(List<SliceDraft> before, List<SliceDraft> after) {
        return after.stream().filter(sliceDraft -> !before.contains(sliceDraft)).count();
    }

    @Test
    void aSliceHoldsAHundred() {
        List<SliceDraft> three = next(List.of(), members(0, 250));
        assertThat(sizes(three)).containsExactly(100, 100, 50);
        assertThat(sizes(next(three, members(0, 200)))).containsExactly(100, 100);
        assertThat(sizes(next(List.of(), members(0, 100)))).containsExactly(100);
    }

    @Test
    void aChangedPodChangesOneSlice() {
        List<SliceDraft> before = next(List.of(), members(0, 250));
        List<Member> wanted = new ArrayList<>(members(0, 250));
        wanted.set(7, member(7, false));
        List<SliceDraft> unready = next(before, wanted);
        assertThat(changed(before, unready)).isEqualTo(1);
        wanted.remove(120);
        List<SliceDraft> fewer = next(unready, wanted);
        assertThat(changed(unready, fewer)).isEqualTo(1);
        assertThat(sizes(fewer)).containsExactly(100, 99, 50);
        // One comes and one goes: the slice that changes anyway takes the new one.
        wanted.remove(0);
        wanted.add(member(300, true));
        List<SliceDraft> swapped = next(fewer, wanted);
        assertThat(changed(fewer, swapped)).isEqualTo(1);
        assertThat(sizes(swapped)).containsExactly(100, 99, 50);
        // None changes: the fullest with room for all.
        wanted.add(member(301, true));
        assertThat(sizes(next(swapped, wanted))).containsExactly(100, 100, 50);
        wanted.add(member(302, true));
        assertThat(sizes(next(swapped, wanted))).containsExactly(100, 99, 52);
    }

    @Test
    void otherPortsAreInOtherSlicesAndNumbersAreUsedAgain() {
        List<SliceDraft> two =
                SlicePacker.next(IpFamily.IPV4, List.of(), Map.of(HTTP, members(0, 2), OTHER, members(2, 3)));
        assertThat(two).extracting(SliceDraft::number).containsExactly(0, 1);
        List<SliceDraft> one = SlicePacker.next(IpFamily.IPV4, two, Map.of(OTHER, members(0, 3)));
        assertThat(one)
                .singleElement()
                .satisfies(sliceDraft -> assertThat(sliceDraft.members()).hasSize(3));
        List<SliceDraft> none = SlicePacker.next(IpFamily.IPV4, one, Map.of());
        assertThat(none)
                .containsExactly(new SliceDraft(IpFamily.IPV4, one.getFirst().number(), List.of(), List.of()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyEndpointIsInOneSliceAndFewSlicesChange(long seed) {
        Random random = new Random(seed);
        Map<Integer, Member> now = new TreeMap<>();
        List<SliceDraft> drawers = List.of();
        for (int step = 0; step < 400; step++) {
            int n = random.nextInt(400);
            if (now.remove(n) == null || random.nextInt(4) == 0) {
                now.put(n, member(n, random.nextBoolean()));
            }
            List<SliceDraft> before = drawers;
            drawers = next(before, now.values());
            assertThat(changed(before, drawers)).isLessThanOrEqualTo(1);
            assertThat(drawers).allSatisfy(d -> assertThat(d.members()).hasSizeLessThanOrEqualTo(SlicePacker.MOST));
            assertThat(drawers.stream().flatMap(d -> d.members().stream()))
                    .containsExactlyInAnyOrderElementsOf(now.values());
            assertThat(next(drawers, now.values())).isEqualTo(drawers);
        }
    }

    @Test
    void namesDifferAndStayTheSame() {
        Set<String> names = new HashSet<>();
        for (int number = 0; number < 500; number++) {
            for (IpFamily family : IpFamily.values()) {
                names.add(SliceName.of(new ServiceKey("shop", "web"), family, number));
            }
        }
        assertThat(names).hasSize(1000).allMatch(name -> name.matches("web-[a-z0-9]{5}"));
        assertThat(names).contains(SliceName.of(new ServiceKey("shop", "web"), IpFamily.IPV6, 0));
        assertThat(SliceName.of(new ServiceKey("shop", "w".repeat(63)), IpFamily.IPV4, 0))
                .hasSize(63);
    }
}
