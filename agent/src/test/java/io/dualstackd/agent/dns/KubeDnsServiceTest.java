package io.dualstackd.agent.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.objects.WrittenService;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class KubeDnsServiceTest {
    private static final Ip V4 = Ip.parse("10.96.0.10");
    private static final Ip V6 = Ip.parse("fd00:96::a");

    @Test
    void theServiceHasBothFamiliesAndBothProtocols() {
        Service service = (Service) KubeDnsService.service(List.of(V6, V4), Dialect.STORED);
        assertThat(service.key()).hasToString("Service kube-system/kube-dns");
        assertThat(service.clusterIp()).isEqualTo(new Service.ClusterIp.Address(V6));
        assertThat(service.clusterIps()).containsExactly(V6, V4);
        assertThat(service.ipFamilies()).containsExactly(IpFamily.IPV6, IpFamily.IPV4);
        assertThat(service.selector()).isEmpty();
        assertThat(service.ports())
                .containsExactly(
                        new Service.Port("dns", Proto.UDP, 53, 0), new Service.Port("dns-tcp", Proto.TCP, 53, 0));
    }

    @Test
    void itIsOneOfTheLedgerToo() {
        assertThat(KubeDnsService.service(List.of(V4), Dialect.WRITTEN)).isInstanceOf(WrittenService.class);
    }

    /** A slice of the same name would replace the daemon's, or go with it. */
    @Test
    void noFileCanHaveASliceOfTheirName() {
        String name = KubeDnsService.slices(List.of(new IpPort(Ip.parse("192.0.2.1"), 10053)), "node-1")
                .keySet()
                .iterator()
                .next()
                .name();
        String text = """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: "%s", namespace: kube-system, labels: {kubernetes.io/service-name: kube-dns}}
                addressType: IPv4
                ports: [{name: dns, port: 53, protocol: UDP}]
                endpoints: [{addresses: [192.0.2.9]}]
                """;
        assertThat(Manifests.decode("a.yaml", text.formatted("kube-dns-1")).objects())
                .hasSize(1);
        assertThat(Manifests.decode("a.yaml", text.formatted(name)).objects()).isEmpty();
    }

    @Test
    void endpointsAreTheAddressesThatOthersReach() {
        Map<ObjectKey, EndpointSlice> slices = KubeDnsService.slices(
                List.of(
                        new IpPort(Ip.parse("192.0.2.1"), 10053),
                        new IpPort(Ip.parse("2001:db8::1"), 10053),
                        new IpPort(Ip.parse("192.0.2.7"), 53),
                        new IpPort(Ip.parse("169.254.20.10"), 53),
                        new IpPort(Ip.parse("127.0.0.1"), 53),
                        new IpPort(Ip.parse("::1"), 53)),
                "node-1");
        assertThat(slices.keySet())
                .extracting(ObjectKey::name)
                .containsExactly("kube-dns-ipv4-10053:dns", "kube-dns-ipv4-53:dns", "kube-dns-ipv6-10053:dns");
        EndpointSlice slice = slices.values().iterator().next();
        assertThat(slice.service()).contains("kube-dns");
        assertThat(slice.ports())
                .extracting(port -> port.name().orElse("") + "/" + port.protocol() + "/"
                        + port.port().getAsInt())
                .containsExactly("dns/udp/10053", "dns-tcp/tcp/10053");
        assertThat(slice.endpoints()).singleElement().satisfies(endpoint -> {
            assertThat(endpoint.address()).hasToString("192.0.2.1");
            assertThat(endpoint.nodeName()).isEqualTo("node-1");
            assertThat(endpoint.conditions().ready()).contains(true);
        });
    }
}
