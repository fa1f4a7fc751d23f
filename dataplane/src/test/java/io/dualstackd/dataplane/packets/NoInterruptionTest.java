package io.dualstackd.dataplane.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.io.NftablesSyncer;
import io.dualstackd.dataplane.io.ViewSyncer;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.dataplane.packets.Probe.Answer;
import io.dualstackd.netlink.io.NlProtocol;
import io.dualstackd.netlink.io.NlSocket;
import io.dualstackd.netlink.ip.Proto;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * While endpoints come, go and are replaced as fast as transactions can do it, no connection is without one. A lookup that missed,
 * even once, would leave a packet for the rule that refuses packets without an endpoint.
 */
@Tag("kernel")
final class NoInterruptionTest {
    private static final int ENDPOINTS = 8;
    private static final int CHANGES = 5_000;
    private static final int TIMEOUT = 60_000;

    @ParameterizedTest
    @EnumSource
    void noConnectionIsRefusedWhileThereAreEndpoints(LabMap map) throws Exception {
        try (LoneNode node = new LoneNode(map, ENDPOINTS);
                ViewSyncer syncer = new ViewSyncer(
                        NftablesSyncer.of(map.family(), () -> NlSocket.open(NlProtocol.NETFILTER, node.ns())));
                Servers ignored = new Servers(node);
                ExecutorService clients = Executors.newFixedThreadPool(2)) {
            Set<Integer> serving = new TreeSet<>(Set.of(0));
            bring(syncer, node, serving);
            AtomicBoolean over = new AtomicBoolean();
            List<Talking> talks = new ArrayList<>();
            for (Proto protocol : List.of(Proto.TCP, Proto.UDP)) {
                AtomicInteger answers = new AtomicInteger();
                talks.add(new Talking(clients.submit(() -> talk(node, protocol, answers, over)), answers));
            }
            try {
                Random random = new Random(1664);
                for (int change = 0; change < CHANGES || talks.stream().anyMatch(Talking::hasJustBegun); change++) {
                    change(serving, random);
                    bring(syncer, node, serving);
                }
            } finally {
                over.set(true);
            }
            for (Talking talk : talks) {
                talk.end().get();
            }
            // Nothing is left over, nothing is missing.
            try (NativeNftables again = new NativeNftables(node.ns())) {
                again.takeOver(node.view(), List.of(view(node, serving)));
            }
        }
    }

    private record Talking(Future<?> end, AtomicInteger answers) {
        boolean hasJustBegun() {
            return !end.isDone() && answers.get() < CHANGES / 100;
        }
    }

    private static void bring(ViewSyncer syncer, LoneNode node, Set<Integer> serving) {
        ServiceView view = view(node, serving);
        SyncResult report = syncer.run(node.view(), Map.of(view.key(), Optional.of(view)));
        assertThat(report.result()).isEqualTo(new SyncResult.Result.InForce());
    }

    private static ServiceView view(LoneNode node, Set<Integer> serving) {
        return node.service(List.copyOf(serving)).view();
    }

    /** One comes, goes or is replaced; at least one stays. */
    private static void change(Set<Integer> serving, Random random) {
        if (serving.size() > 1 && random.nextInt(3) != 0) {
            serving.remove(List.copyOf(serving).get(random.nextInt(serving.size())));
        }
        if (random.nextInt(3) != 0) {
            serving.add(random.nextInt(ENDPOINTS));
        }
    }

    private static @Nullable Void talk(LoneNode node, Proto protocol, AtomicInteger answers, AtomicBoolean over)
            throws Exception {
        while (!over.get()) {
            Answer answer = Probe.send(node.ns(), node.address(), node.service(), protocol, TIMEOUT);
            assertThat(answer).as("%s number %d", protocol, answers.get()).isInstanceOf(Answer.From.class);
            answers.incrementAndGet();
        }
        return null;
    }

    /** One on each endpoint, serving or not: the connections of those that were taken out go on. */
    private static final class Servers implements Closeable {
        private final List<Server> all = new ArrayList<>();

        Servers(LoneNode node) throws Exception {
            for (int n = 0; n < ENDPOINTS; n++) {
                all.add(Server.start(
                        node.ns(),
                        "E" + n,
                        node.endpoint(n).ip(),
                        node.endpoint(n).port()));
            }
        }

        @Override
        public void close() throws IOException {
            for (Server server : all) {
                server.close();
            }
        }
    }
}
