package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.packets.LabMap;
import io.dualstackd.dataplane.packets.Sender;
import io.dualstackd.netlink.ip.Proto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Row 23: five times all pods of a Service are replaced, one after the other, while a client asks a hundred times a second. */
interface RolloutRows {
    int NUMBER = 23;
    int FIRST_PORT = 9300;
    int ROLLOUTS = 5;
    long BETWEEN_REQUESTS_MS = 10;

    NodeUnderTest node();

    @ParameterizedTest
    @CsvSource({"V4,Cluster", "V4,Local", "V6,Cluster", "V6,Local"})
    default void row23RollingUpdateUnderLoad(LabMap map, String policy) throws Exception {
        LabService service = LabService.balanced("rolling", NUMBER, "").spec("externalTrafficPolicy: " + policy);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        List<PodServer> running = start(map, 0);
        node().put(generation(service, 0, "Ln, Rn"));
        awaitAnswersOf(map, "g0");
        try (ExecutorService client = Executors.newSingleThreadExecutor()) {
            Future<List<String>> asking = client.submit(() -> askSteadily(map, begun, over));
            try {
                begun.await();
                for (int next = 1; next <= ROLLOUTS; next++) {
                    List<PodServer> started = start(map, next);
                    roll(map, service, next);
                    close(running);
                    running = started;
                }
            } finally {
                over.countDown();
            }
            List<String> answers = asking.get();
            long served =
                    answers.stream().filter(answer -> answer.startsWith("g")).count();
            assertThat(served)
                    .as("served of %d requests: %s", answers.size(), answers)
                    .isGreaterThanOrEqualTo((answers.size() * 95L + 99) / 100);
            assertThat(answers).contains("g0", "g" + ROLLOUTS);
        } finally {
            close(running);
        }
        node().remove(service);
    }

    /** The pod here first, then the one elsewhere; a pod that goes is terminating for a while. */
    private void roll(LabMap map, LabService service, int next) throws Exception {
        int old = next - 1;
        String both = "g" + old + " g" + next;
        node().put(generation(generation(service, old, "Ln, Rn"), next, "Ln"));
        awaitAnswersOf(map, both);
        node().put(generation(generation(service, old, "Ln T, Rn"), next, "Ln"));
        node().put(generation(generation(service, old, "Rn"), next, "Ln, Rn"));
        awaitAnswersOf(map, both);
        node().put(generation(generation(service, old, "Rn T"), next, "Ln, Rn"));
        node().put(generation(service, next, "Ln, Rn"));
        awaitAnswersOf(map, "g" + next);
    }

    private void awaitAnswersOf(LabMap map, String generations) {
        node().await(map, Sender.POD, map.clusterIp(NUMBER), 80, Proto.TCP, generations);
    }

    private static int pod(int generation) {
        return generation % LabMap.SERVING_PODS + 1;
    }

    /** @param pods with {@code n} for the number of the pod */
    private static LabService generation(LabService service, int generation, String pods) {
        String port = "{name: t, port: %d, protocol: TCP}".formatted(FIRST_PORT + generation);
        return service.slice("g" + generation, port, pods.replace("n", Integer.toString(pod(generation))));
    }

    private List<PodServer> start(LabMap map, int generation) throws Exception {
        String name = "g" + generation;
        int pod = pod(generation);
        int port = FIRST_PORT + generation;
        return List.of(
                PodServer.start(node().lab().pod(pod), name, map.localPod(pod), port),
                PodServer.start(node().lab().hostOf(Sender.R1).ns(), name, map.remotePod(pod), port));
    }

    private static void close(List<PodServer> servers) throws Exception {
        for (PodServer server : servers) {
            server.close();
        }
    }

    /** At a steady pace, however long single answers take; once more when it is over. */
    private List<String> askSteadily(LabMap map, CountDownLatch begun, CountDownLatch over) throws Exception {
        List<Future<String>> asked = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        try (ExecutorService requests = Executors.newFixedThreadPool(16)) {
            boolean last;
            do {
                last = over.await(BETWEEN_REQUESTS_MS, TimeUnit.MILLISECONDS);
                asked.add(requests.submit(() -> {
                    try {
                        return node().ask(map, Sender.CLIENT, map.vip(NUMBER), 80, Proto.TCP);
                    } catch (IOException e) {
                        // It waited for a server that was stopped.
                        return "hung up on";
                    } finally {
                        begun.countDown();
                    }
                }));
            } while (!last);
            for (Future<String> one : asked) {
                answers.add(one.get());
            }
        }
        return answers;
    }
}
