package io.dualstackd.agent.e2e;

import static io.dualstackd.agent.e2e.RunningDaemon.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Row 13: session affinity, switched on and off, over TCP and UDP, to the ClusterIP and to the node port. */
interface AffinityRows {
    NodeUnderTest node();

    private static LabService service() {
        return LabService.nodePort("sticky", 13, "L1, L2, R1, R2");
    }

    private static LabService sticky(int seconds) {
        return service()
                .spec("sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: %d}}"
                        .formatted(seconds));
    }

    /** A client, a destination, a protocol. */
    record Way(LabMap map, Sender from, Ip to, int port, Proto protocol) {}

    private static List<Way> ways(LabMap map) {
        List<Way> ways = new ArrayList<>();
        for (Proto protocol : List.of(Proto.TCP, Proto.UDP)) {
            ways.add(new Way(map, Sender.POD, map.clusterIp(13), 80, protocol));
            ways.add(new Way(map, Sender.CLIENT, map.node(), 30013, protocol));
        }
        return ways;
    }

    private int servers(Way way, int tries) throws Exception {
        return node().servers(way.map(), way.from(), way.to(), way.port(), way.protocol(), tries)
                .size();
    }

    private String once(Way way) throws Exception {
        return node().ask(way.map(), way.from(), way.to(), way.port(), way.protocol());
    }

    @ParameterizedTest
    @EnumSource
    default void row13AffinityOnOffOn(LabMap map) throws Exception {
        for (boolean on : new boolean[] {true, false, true}) {
            node().put(on ? sticky(10_800) : service());
            for (Way way : ways(map)) {
                eventually()
                        .untilAsserted(() -> assertThat(servers(way, 15) == 1)
                                .as(way.toString())
                                .isEqualTo(on));
            }
        }
        node().remove(service());
    }

    /** Every question starts the second anew, so the client must stay away for longer; a new choice may be the old one. */
    @Test
    default void row13AffinityEnds() throws Exception {
        node().put(sticky(1));
        List<Callable<Void>> clients = new ArrayList<>();
        for (LabMap map : LabMap.values()) {
            for (Way way : ways(map)) {
                clients.add(() -> {
                    eventually().untilAsserted(() -> assertThat(servers(way, 6)).isEqualTo(1));
                    String first = once(way);
                    await().pollDelay(Duration.ofMillis(1_500))
                            .pollInterval(Duration.ofMillis(1_500))
                            .atMost(Duration.ofMinutes(1))
                            .until(() -> !once(way).equals(first));
                    return null;
                });
            }
        }
        try (ExecutorService all = Executors.newFixedThreadPool(clients.size())) {
            for (Future<Void> client : all.invokeAll(clients)) {
                client.get();
            }
        }
        node().remove(service());
    }
}
