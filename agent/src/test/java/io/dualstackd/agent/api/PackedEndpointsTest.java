package io.dualstackd.agent.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What goes in comes out, and equal lists are equal whichever way they are kept. */
final class PackedEndpointsTest {
    @Provide
    Arbitrary<List<EndpointSlice.Endpoint>> endpoints() {
        Arbitrary<Ip> four = Arbitraries.integers().map(Ip.V4::new);
        Arbitrary<Ip> six =
                Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(Ip.V6::new);
        Arbitrary<Optional<Boolean>> condition =
                Arbitraries.of(Optional.empty(), Optional.of(true), Optional.of(false));
        Arbitrary<EndpointSlice.Conditions> conditions =
                Combinators.combine(condition, condition, condition).as(EndpointSlice.Conditions::new);
        Arbitrary<Set<String>> hints = Arbitraries.of("a", "b", "c").set().ofMaxSize(2);
        return Combinators.combine(
                        Arbitraries.frequencyOf(net.jqwik.api.Tuple.of(5, four), net.jqwik.api.Tuple.of(1, six)),
                        conditions,
                        Arbitraries.of("", "", "node-1", "node-2"),
                        hints,
                        hints)
                .as(EndpointSlice.Endpoint::new)
                .list()
                .ofMaxSize(6);
    }

    @Property(tries = 2_000)
    void packingKeepsEverything(@ForAll("endpoints") List<EndpointSlice.Endpoint> endpoints) {
        List<EndpointSlice.Endpoint> packed = PackedEndpoints.of(endpoints);
        assertThat(packed).isEqualTo(endpoints).hasSameHashCodeAs(endpoints);
        assertThat(endpoints).isEqualTo(packed);
        assertThat(PackedEndpoints.of(packed)).isSameAs(packed);
    }

    @Property(tries = 1_000)
    void equalityIsThatOfLists(
            @ForAll("endpoints") List<EndpointSlice.Endpoint> one,
            @ForAll("endpoints") List<EndpointSlice.Endpoint> other) {
        assertThat(PackedEndpoints.of(one).equals(PackedEndpoints.of(other))).isEqualTo(one.equals(other));
        assertThat(PackedEndpoints.of(one)).isEqualTo(PackedEndpoints.of(List.copyOf(one)));
    }
}
