package io.dualstackd.kubeapi.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ServiceDiffTest {
    private static final EndpointSlice.Conditions TERMINATING =
            EndpointSlice.Conditions.of(Optional.of(false), Optional.of(true), Optional.of(true));

    private static EndpointSlice.Endpoint endpoint(String ip, EndpointSlice.Conditions conditions) {
        return new EndpointSlice.Endpoint(Ip.parse(ip), conditions, "n1", Set.of(), Set.of());
    }

    private static EndpointSlice slice(String name, int port, EndpointSlice.Endpoint... endpoints) {
        return new EndpointSlice(
                "shop",
                name,
                Optional.of("web"),
                false,
                EndpointSlice.AddressType.IPV4,
                List.of(new EndpointSlice.Port(Optional.of("http"), Proto.TCP, OptionalInt.of(port))),
                List.of(endpoints),
                Optional.empty());
    }

    private static EndpointSlice slice(String name, String... ips) {
        return slice(
                name,
                8080,
                Stream.of(ips)
                        .map(ip -> endpoint(ip, EndpointSlice.Conditions.NONE))
                        .toArray(EndpointSlice.Endpoint[]::new));
    }

    private static Service.Builder service() {
        return Service.builder("shop", "web")
                .clusterIps(
                        new Service.ClusterIp.Address(Ip.parse("10.96.0.7")),
                        List.of(Ip.parse("10.96.0.7"), Ip.parse("fd00::7")),
                        List.of(IpFamily.IPV4, IpFamily.IPV6))
                .ports(List.of(new Service.Port("http", Proto.TCP, 80, 30080)));
    }

    private static String text(ServiceState before, ServiceState now) {
        return new ServiceDiff(new ServiceKey("shop", "web"), before, now).toString();
    }

    private static String endpoints(List<EndpointSlice> before, List<EndpointSlice> now) {
        return text(new ServiceState(Optional.empty(), before), new ServiceState(Optional.empty(), now));
    }

    @Test
    void namesEndpointsThatCameAndWent() {
        assertThat(endpoints(List.of(slice("a", "10.0.0.1", "10.0.0.2")), List.of(slice("a", "10.0.0.2", "10.0.0.3"))))
                .isEqualTo("10.0.0.1 removed, 10.0.0.3 added");
    }

    @Test
    void anEndpointThatMovesToAnotherSliceIsNoChange() {
        assertThat(endpoints(
                        List.of(slice("a", "10.0.0.1", "10.0.0.2"), slice("b", "10.0.0.3")),
                        List.of(slice("a", "10.0.0.1"), slice("b", "10.0.0.2", "10.0.0.3"))))
                .isEqualTo("nothing that concerns connections");
    }

    @Test
    void aLabelWithAnEmptyValueIsAChange() {
        ServiceState before = new ServiceState(Optional.of(service().build()), List.of());
        ServiceState now = new ServiceState(
                Optional.of(service().proxyName(Optional.of("")).build()), List.of());
        assertThat(text(before, now)).isEqualTo("label service.kubernetes.io/service-proxy-name none -> \"\"");
    }

    @Test
    void showsConditions() {
        assertThat(endpoints(
                        List.of(slice("a", 8080, endpoint("10.0.0.1", EndpointSlice.Conditions.NONE))),
                        List.of(slice("a", 8080, endpoint("10.0.0.1", TERMINATING)))))
                .isEqualTo("10.0.0.1 ready -> terminating");
        assertThat(endpoints(List.of(), List.of(slice("a", 8080, endpoint("10.0.0.1", TERMINATING)))))
                .isEqualTo("10.0.0.1 added (terminating)");
    }

    @Test
    void showsPortsOfEndpoints() {
        EndpointSlice.Endpoint endpoint = endpoint("10.0.0.1", EndpointSlice.Conditions.NONE);
        assertThat(endpoints(List.of(slice("a", 8080, endpoint)), List.of(slice("a", 8081, endpoint))))
                .isEqualTo("ports of endpoints http:8080/tcp -> http:8081/tcp");
    }

    @Test
    void aLargeChangeIsCut() {
        String[] ips = IntStream.range(0, 100).mapToObj(i -> "10.0.0." + i).toArray(String[]::new);
        assertThat(endpoints(List.of(), List.of(slice("a", ips))))
                .startsWith("10.0.0.0 added, 10.0.0.1 added")
                .endsWith("10.0.0.15 added and 84 more");
    }

    @Test
    void showsFieldsOfTheServiceThatDiffer() {
        ServiceState before = new ServiceState(Optional.of(service().build()), List.of());
        ServiceState now = before.with(Optional.of(service()
                .type(Service.Type.NODE_PORT)
                .externalIps(List.of(Ip.parse("192.0.2.9")))
                .build()));
        assertThat(text(before, now)).isEqualTo("type ClusterIP -> NodePort, externalIPs none -> 192.0.2.9");
        assertThat(text(ServiceState.GONE, before))
                .isEqualTo("Service created: ClusterIP 10.96.0.7 fd00::7 http:80/tcp node port 30080");
        assertThat(text(before, ServiceState.GONE)).isEqualTo("Service deleted");
    }

    @Test
    void keepsOnlyWhatWasReplacedInMemory() {
        EndpointSlice kept = slice("a", "10.0.0.1");
        ServiceState before = new ServiceState(Optional.empty(), List.of(kept, slice("b", "10.0.0.2")));
        ServiceKey key = new ServiceKey("shop", "web");
        assertThat(new ServiceDiff(key, before, before).retainedBytes()).isZero();
        assertThat(new ServiceDiff(key, before, before.with(slice("b", "10.0.0.3"))).retainedBytes())
                .isEqualTo(512 + 64 + 64);
        ServiceState first = new ServiceState(Optional.of(service().build()), List.of());
        ServiceState equal = new ServiceState(Optional.of(service().build()), List.of());
        assertThat(equal).isEqualTo(first);
        assertThat(new ServiceDiff(key, first, equal).retainedBytes())
                .as("equal, but another object, with one port")
                .isEqualTo(512 + 64);
    }
}
