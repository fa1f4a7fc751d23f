package io.dualstackd.dataplane.plan;

import static io.dualstackd.dataplane.model.ServiceViewBuilder.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceViewBuilder;
import io.dualstackd.dataplane.plan.BackendChooser.Choice;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.random.Draw;
import io.dualstackd.netlink.random.Tries;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What holds for every list of endpoints. */
final class BackendChooserProperties {
    private static final BackendChooser CHOOSER = new BackendChooser(new TopologyHints("node-1", "a"));

    @Test
    void endpointsThatNeitherAreReadyNorServeWhileTerminatingAreNeverChosen() {
        Tries.of(1_000, draw -> endpointsThatNeitherAreReadyNorServeWhileTerminatingAreNeverChosen(port(draw)));
    }

    private void endpointsThatNeitherAreReadyNorServeWhileTerminatingAreNeverChosen(PortView port) {
        Choice choice = CHOOSER.choose(port);
        assertThat(choice.reachable())
                .allSatisfy(backend -> assertThat(find(port, backend))
                        .matches(e -> e.ready() || e.servingTerminating(), "ready or serving while terminating"));
    }

    @Test
    void terminatingEndpointsServeOnlyWhenNothingReadyIsLeftInTheList() {
        Tries.of(1_000, draw -> terminatingEndpointsServeOnlyWhenNothingReadyIsLeftInTheList(port(draw)));
    }

    private void terminatingEndpointsServeOnlyWhenNothingReadyIsLeftInTheList(PortView port) {
        Choice choice = CHOOSER.choose(port);
        boolean anyReady = port.endpoints().stream().anyMatch(Endpoint::ready);
        boolean anyLocalReady = port.endpoints().stream().anyMatch(e -> e.ready() && e.local());
        assertThat(choice.cluster()).allMatch(backend -> find(port, backend).ready() == anyReady);
        assertThat(choice.local()).allMatch(backend -> find(port, backend).ready() == anyLocalReady);
    }

    @Test
    void hintsOfEndpointsThatAreNotReadyChangeNothing() {
        Tries.of(1_000, draw -> hintsOfEndpointsThatAreNotReadyChangeNothing(port(draw)));
    }

    private void hintsOfEndpointsThatAreNotReadyChangeNothing(PortView port) {
        List<Endpoint> stripped = port.endpoints().stream()
                .map(e -> e.ready() ? e : with(e, Set.of(), Set.of()))
                .toList();
        assertThat(CHOOSER.choose(new PortView(port.port(), stripped))).isEqualTo(CHOOSER.choose(port));
    }

    @Test
    void oneReadyEndpointWithoutAnyHintTurnsHintsOff() {
        Tries.of(1_000, draw -> oneReadyEndpointWithoutAnyHintTurnsHintsOff(port(draw)));
    }

    private void oneReadyEndpointWithoutAnyHintTurnsHintsOff(PortView port) {
        List<Endpoint> endpoints = new ArrayList<>(port.endpoints());
        endpoints.add(
                new Endpoint(new IpPort(new Ip.V4(0x0a0000ff), 80), true, true, false, false, Set.of(), Set.of()));
        Choice choice = CHOOSER.choose(new PortView(port.port(), endpoints));
        if (port.port().usesClusterEndpoints()) {
            assertThat(choice.cluster())
                    .hasSize((int) endpoints.stream().filter(Endpoint::ready).count());
        }
    }

    @Test
    void hintsNeverRestrictTheLocalList() {
        Tries.of(1_000, draw -> hintsNeverRestrictTheLocalList(port(draw)));
    }

    private void hintsNeverRestrictTheLocalList(PortView port) {
        List<Endpoint> stripped =
                port.endpoints().stream().map(e -> with(e, Set.of(), Set.of())).toList();
        assertThat(CHOOSER.choose(new PortView(port.port(), stripped)).local())
                .isEqualTo(CHOOSER.choose(port).local());
    }

    @Test
    void theLocalListDoesNotDependOnOtherNodes() {
        Tries.of(1_000, draw -> theLocalListDoesNotDependOnOtherNodes(port(draw)));
    }

    private void theLocalListDoesNotDependOnOtherNodes(PortView port) {
        List<Endpoint> here = port.endpoints().stream().filter(Endpoint::local).toList();
        assertThat(CHOOSER.choose(new PortView(port.port(), here)).local())
                .isEqualTo(CHOOSER.choose(port).local());
    }

    @Test
    void reachableIsTheUnionInTheOrderOfTheEndpoints() {
        Tries.of(1_000, draw -> reachableIsTheUnionInTheOrderOfTheEndpoints(port(draw)));
    }

    private void reachableIsTheUnionInTheOrderOfTheEndpoints(PortView port) {
        Choice choice = CHOOSER.choose(port);
        assertThat(choice.reachable())
                .containsExactlyElementsOf(port.endpoints().stream()
                        .map(e -> new Backend(e.address(), e.local()))
                        .filter(b ->
                                choice.cluster().contains(b) || choice.local().contains(b))
                        .toList());
    }

    @Test
    void somethingReachableMeansThatEndpointsExist() {
        Tries.of(1_000, draw -> somethingReachableMeansThatEndpointsExist(port(draw)));
    }

    private void somethingReachableMeansThatEndpointsExist(PortView port) {
        Choice choice = CHOOSER.choose(port);
        assertThat(choice.hasEndpoints() || choice.reachable().isEmpty()).isTrue();
    }

    private static Endpoint find(PortView port, Backend backend) {
        return port.endpoints().stream()
                .filter(e -> e.address().equals(backend.address()))
                .findFirst()
                .orElseThrow();
    }

    private static Endpoint with(Endpoint e, Set<String> zones, Set<String> nodes) {
        return new Endpoint(e.address(), e.ready(), e.serving(), e.terminating(), e.local(), zones, nodes);
    }

    private static PortView port(Draw draw) {
        ServiceViewBuilder given = service("svc", "172.30.0.41").nodePort(draw.bool() ? 30080 : 0);
        if (draw.bool()) {
            given.internalLocal();
        }
        if (draw.bool()) {
            given.externalLocal();
        }
        return new PortView(given.servicePort(), numbered(draw.list(0, 8, () -> endpoint(draw))));
    }

    private static Endpoint endpoint(Draw draw) {
        return new Endpoint(
                new IpPort(new Ip.V4(0), 80),
                draw.bool(),
                draw.bool(),
                draw.bool(),
                draw.bool(),
                draw.set(2, () -> draw.one("a", "b")),
                draw.set(2, () -> draw.one("node-1", "node-2")));
    }

    private static List<Endpoint> numbered(List<Endpoint> endpoints) {
        return IntStream.range(0, endpoints.size())
                .mapToObj(i -> {
                    Endpoint e = endpoints.get(i);
                    return new Endpoint(
                            new IpPort(new Ip.V4(0x0a000000 + i), 80),
                            e.ready(),
                            e.serving(),
                            e.terminating(),
                            e.local(),
                            e.zoneHints(),
                            e.nodeHints());
                })
                .toList();
    }
}
