package io.dualstackd.dataplane.plan;

import static io.dualstackd.dataplane.model.ServiceGiven.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.NodeGiven;
import io.dualstackd.dataplane.model.PortView;
import io.dualstackd.dataplane.model.ServiceGiven;
import io.dualstackd.dataplane.plan.BackendChooser.Choice;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every list of endpoints. */
final class BackendChooserProperties {
    private static final BackendChooser CHOOSER =
            new BackendChooser(NodeGiven.node().zone("a").view());

    @Property
    void endpointsThatNeitherAreReadyNorServeWhileTerminatingAreNeverChosen(@ForAll("ports") PortView port) {
        Choice choice = CHOOSER.choose(port);
        assertThat(choice.reachable())
                .allSatisfy(backend -> assertThat(find(port, backend))
                        .matches(e -> e.ready() || e.servingTerminating(), "ready or serving while terminating"));
    }

    @Property
    void terminatingEndpointsServeOnlyWhenNothingReadyIsLeftInTheList(@ForAll("ports") PortView port) {
        Choice choice = CHOOSER.choose(port);
        boolean anyReady = port.endpoints().stream().anyMatch(Endpoint::ready);
        boolean anyLocalReady = port.endpoints().stream().anyMatch(e -> e.ready() && e.local());
        assertThat(choice.cluster()).allMatch(backend -> find(port, backend).ready() == anyReady);
        assertThat(choice.local()).allMatch(backend -> find(port, backend).ready() == anyLocalReady);
    }

    @Property
    void hintsOfEndpointsThatAreNotReadyChangeNothing(@ForAll("ports") PortView port) {
        List<Endpoint> stripped = port.endpoints().stream()
                .map(e -> e.ready() ? e : with(e, Set.of(), Set.of()))
                .toList();
        assertThat(CHOOSER.choose(new PortView(port.port(), stripped))).isEqualTo(CHOOSER.choose(port));
    }

    @Property
    void oneReadyEndpointWithoutAnyHintTurnsHintsOff(@ForAll("ports") PortView port) {
        List<Endpoint> endpoints = new ArrayList<>(port.endpoints());
        endpoints.add(
                new Endpoint(new IpPort(new Ip.V4(0x0a0000ff), 80), true, true, false, false, Set.of(), Set.of()));
        Choice choice = CHOOSER.choose(new PortView(port.port(), endpoints));
        if (port.port().usesClusterEndpoints()) {
            assertThat(choice.cluster())
                    .hasSize((int) endpoints.stream().filter(Endpoint::ready).count());
        }
    }

    @Property
    void hintsNeverRestrictTheLocalList(@ForAll("ports") PortView port) {
        List<Endpoint> stripped =
                port.endpoints().stream().map(e -> with(e, Set.of(), Set.of())).toList();
        assertThat(CHOOSER.choose(new PortView(port.port(), stripped)).local())
                .isEqualTo(CHOOSER.choose(port).local());
    }

    @Property
    void theLocalListDoesNotDependOnOtherNodes(@ForAll("ports") PortView port) {
        List<Endpoint> here = port.endpoints().stream().filter(Endpoint::local).toList();
        assertThat(CHOOSER.choose(new PortView(port.port(), here)).local())
                .isEqualTo(CHOOSER.choose(port).local());
    }

    @Property
    void reachableIsTheUnionInTheOrderOfTheEndpoints(@ForAll("ports") PortView port) {
        Choice choice = CHOOSER.choose(port);
        assertThat(choice.reachable())
                .containsExactlyElementsOf(port.endpoints().stream()
                        .map(e -> new Backend(e.address(), e.local()))
                        .filter(b ->
                                choice.cluster().contains(b) || choice.local().contains(b))
                        .toList());
    }

    @Property
    void somethingReachableMeansThatEndpointsExist(@ForAll("ports") PortView port) {
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

    @Provide
    Arbitrary<PortView> ports() {
        Arbitrary<Boolean> yesOrNo = Arbitraries.of(true, false);
        Arbitrary<ServiceGiven> services = Combinators.combine(yesOrNo, yesOrNo, yesOrNo)
                .as((internalLocal, externalLocal, nodePort) -> {
                    ServiceGiven given = service("svc", "172.30.0.41").nodePort(nodePort ? 30080 : 0);
                    if (internalLocal) {
                        given.internalLocal();
                    }
                    return externalLocal ? given.externalLocal() : given;
                });
        return Combinators.combine(services, endpoint().list().ofMaxSize(8))
                .as((given, endpoints) -> new PortView(given.servicePort(), numbered(endpoints)));
    }

    private static Arbitrary<Endpoint> endpoint() {
        Arbitrary<Boolean> yesOrNo = Arbitraries.of(true, false);
        Arbitrary<Set<String>> zones = Arbitraries.of("a", "b").set().ofMaxSize(2);
        Arbitrary<Set<String>> nodes = Arbitraries.of("node-1", "node-2").set().ofMaxSize(2);
        return Combinators.combine(yesOrNo, yesOrNo, yesOrNo, yesOrNo, zones, nodes)
                .as((ready, serving, terminating, local, z, n) ->
                        new Endpoint(new IpPort(new Ip.V4(0), 80), ready, serving, terminating, local, z, n));
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
