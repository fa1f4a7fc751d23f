package io.dualstackd.kubeapi.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.random.Draw;
import io.dualstackd.netlink.random.Tries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What goes in comes out, and equal lists are equal whichever way they are kept. */
final class PackedEndpointsTest {
    private static List<EndpointSlice.Endpoint> endpoints(Draw draw) {
        return draw.list(
                0,
                6,
                () -> new EndpointSlice.Endpoint(
                        draw.upTo(5) > 0
                                ? new Ip.V4(draw.random().nextInt())
                                : new Ip.V6(
                                        draw.random().nextLong(), draw.random().nextLong()),
                        new EndpointSlice.Conditions(condition(draw), condition(draw), condition(draw)),
                        draw.one("", "", "node-1", "node-2"),
                        hints(draw),
                        hints(draw),
                        draw.one("", "", "db-0", "db-1")));
    }

    private static Optional<Boolean> condition(Draw draw) {
        return draw.one(List.of(Optional.empty(), Optional.of(true), Optional.of(false)));
    }

    private static Set<String> hints(Draw draw) {
        return draw.set(2, () -> draw.one("a", "b", "c"));
    }

    @Test
    void packingKeepsEverything() {
        Tries.of(2_000, draw -> packingKeepsEverything(endpoints(draw)));
    }

    private void packingKeepsEverything(List<EndpointSlice.Endpoint> endpoints) {
        List<EndpointSlice.Endpoint> packed = PackedEndpoints.of(endpoints);
        assertThat(packed).isEqualTo(endpoints).hasSameHashCodeAs(endpoints);
        assertThat(endpoints).isEqualTo(packed);
        assertThat(PackedEndpoints.of(packed)).isSameAs(packed);
        assertThat(visited(packed))
                .isEqualTo(endpoints.stream()
                        .map(each -> List.of(
                                each.address(), each.conditions(), each.nodeName(), each.zoneHints(), each.nodeHints()))
                        .toList());
    }

    private static List<List<Object>> visited(List<EndpointSlice.Endpoint> endpoints) {
        List<List<Object>> visited = new ArrayList<>();
        new EndpointSlice(
                        "shop",
                        "web-1",
                        Optional.of("web"),
                        false,
                        EndpointSlice.AddressType.IPV4,
                        List.of(),
                        endpoints,
                        Optional.empty())
                .visit((address, conditions, node, zones, nodes) ->
                        visited.add(List.of(address, conditions, node, zones, nodes)));
        return visited;
    }

    @Test
    void equalityIsThatOfLists() {
        Tries.of(1_000, draw -> equalityIsThatOfLists(endpoints(draw), endpoints(draw)));
    }

    private void equalityIsThatOfLists(List<EndpointSlice.Endpoint> one, List<EndpointSlice.Endpoint> other) {
        assertThat(PackedEndpoints.of(one).equals(PackedEndpoints.of(other))).isEqualTo(one.equals(other));
        assertThat(PackedEndpoints.of(one)).isEqualTo(PackedEndpoints.of(List.copyOf(one)));
    }
}
