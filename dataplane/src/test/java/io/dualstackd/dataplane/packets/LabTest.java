package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.packets.Probe.Answer;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.Proto;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The laboratory itself, without any data plane: all hosts reach each other, and nothing is translated. */
@Tag("kernel")
final class LabTest {
    @Test
    void podsReachEachOtherWithoutTranslation() throws Exception {
        try (Lab lab = Lab.open()) {
            for (LabMap map : LabMap.values()) {
                for (Sender sender : List.of(Sender.POD, Sender.L1, Sender.NODE, Sender.CLIENT, Sender.R1)) {
                    for (Proto protocol : List.of(Proto.TCP, Proto.UDP)) {
                        Ip source = sender.address(map);
                        assertThat(send(lab, sender, map, map.localPod(4), LabMap.TARGET_PORT, protocol))
                                .isEqualTo(new Answer.From("L4", source));
                        assertThat(send(lab, sender, map, map.remotePod(4), LabMap.TARGET_PORT, protocol))
                                .isEqualTo(new Answer.From("R4", source));
                        assertThat(send(lab, sender, map, map.secondNode(), NodePorts.PORT, protocol))
                                .isEqualTo(new Answer.From(Server.HOST, source));
                        assertThat(send(lab, sender, map, map.localPod(4), 81, protocol))
                                .isEqualTo(new Answer.Refused());
                    }
                }
            }
        }
    }

    @Test
    void serviceAddressesAreSilentWithoutRules() throws Exception {
        try (Lab lab = Lab.open()) {
            for (LabMap map : LabMap.values()) {
                for (Sender sender : List.of(Sender.POD, Sender.NODE, Sender.CLIENT)) {
                    Answer answer = Probe.send(
                            lab.hostOf(sender).ns(),
                            sender.address(map),
                            new IpPort(map.clusterIp(1), 80),
                            Proto.TCP,
                            300);
                    assertThat(answer).isEqualTo(new Answer.Silence());
                }
            }
        }
    }

    private static Answer send(Lab lab, Sender sender, LabMap map, Ip to, int port, Proto protocol) throws Exception {
        return Probe.send(lab.hostOf(sender).ns(), sender.address(map), new IpPort(to, port), protocol, 60_000);
    }
}
