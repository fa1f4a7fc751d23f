package io.dualstackd.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.Node;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.nodeaddr.Host;
import io.dualstackd.nodeaddr.HostNames;
import io.dualstackd.nodeaddr.NodeIps;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class AddressChooserTest {
    private static Optional<Node> node(String addresses) {
        var decoded = Manifests.decode("node.yaml", """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {addresses: %s}
            """.formatted(addresses));
        assertThat(decoded.problems()).isEmpty();
        return Optional.of((Node) decoded.objects().getFirst().object());
    }

    private static List<Ip> ips(Optional<NodeIps> given, Optional<Node> object) {
        assertThat(AddressChooser.knows(given, object)).isTrue();
        return AddressChooser.choose(given, object, Host.EMPTY, new HostNames("n1", List.of()), PreviousChoice.NOTHING)
                .nodeIps();
    }

    @Test
    void theOrderOfTheNodeObjectHoldsUnlessSomethingWasGiven() {
        Optional<Node> ipv6First =
                node("[{type: InternalIP, address: 'fd00::7'}, {type: InternalIP, address: 192.0.2.7}]");
        Ip four = Ip.parse("192.0.2.7");
        Ip six = Ip.parse("fd00::7");
        assertThat(ips(Optional.empty(), ipv6First)).containsExactly(six, four);
        assertThat(ips(Optional.of(NodeIps.DEFAULT), ipv6First)).containsExactly(four, six);
        Optional<Node> internalWins =
                node("[{type: ExternalIP, address: 'fd00::7'}, {type: InternalIP, address: 192.0.2.7}]");
        assertThat(ips(Optional.empty(), internalWins).getFirst()).isEqualTo(four);
        assertThat(ips(Optional.empty(), node("[{type: ExternalIP, address: 'fd00::7'}]")))
                .containsExactly(six);
        assertThat(ips(Optional.empty(), node("[{type: InternalIP, address: 192.0.2.7}]")))
                .containsExactly(four);
    }
}
