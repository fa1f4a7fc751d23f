package io.dualstackd.agent.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Protos;
import io.dualstackd.netlink.sys.NetNs;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("kernel")
final class DemoNetTest {
    @ParameterizedTest
    @CsvSource({"tcp, 10.244.0.5", "udp, 10.244.0.5", "tcp, fd00:10:244::5", "udp, fd00:10:244::5"})
    void theOutsideClientReachesAPodThroughTheNode(String proto, String ip) throws Exception {
        try (DemoNet net = DemoNet.create()) {
            NetNs pod = net.addPod(Ip.parse("10.244.0.5"), Ip.parse("fd00:10:244::5"));
            try (DemoServer ignored = DemoServer.open(pod, "pod-1", Protos.named(proto), 8080)) {
                DemoProbe.Result result = new DemoProbe(
                                "pod",
                                "direct",
                                "outside",
                                net.client(),
                                Protos.named(proto),
                                new IpPort(Ip.parse(ip), 8080))
                        .run(3);
                assertThat(result.firstError()).isEmpty();
                assertThat(result.answers()).isEqualTo(Map.of("pod-1", 3));
                assertThat(result.sources())
                        .containsExactly((ip.contains(":") ? DemoNet.CLIENT_6 : DemoNet.CLIENT_4).toString());
            }
        }
    }
}
