package io.dualstackd.dataplane.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dualstackd.dataplane.diff.Outcome;
import io.dualstackd.dataplane.diff.SyncResult;
import io.dualstackd.dataplane.diff.SyncResult.Result;
import io.dualstackd.dataplane.model.NodeView;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.ThreadTask;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A first load of iptables mode in several transactions, on a kernel in memory, each of which fails once. */
final class ChainLoadFaultsTest {
    private static final NodeView NODE = Samples.node(IpFamily.IPV4);
    private static final int SERVICES = 60;
    private static final int PORTION = 200;

    private final Map<ServiceKey, Optional<ServiceView>> services = services();

    @Test
    void whicheverFailsIsTheLastAndTheNextSyncMakesUpForIt() {
        FakeKernel sound = kernel();
        inForce(syncer(sound).run(NODE, services));
        assertThat(sound.transactions).isGreaterThan(5);
        List<Supplier<Outcome>> failures = List.of(
                Outcome.Outdated::new,
                () -> new Outcome.Unreachable("no answer"),
                () -> new Outcome.Refused(List.of(new Outcome.Refusal(Optional.empty(), "ENOMEM"))));
        for (Supplier<Outcome> failure : failures) {
            for (int number = 0; number < sound.transactions; number++) {
                FakeKernel kernel = kernel();
                kernel.failAt(number, failure);
                ViewSyncer syncer = syncer(kernel);
                SyncResult failed = syncer.run(NODE, services);
                assertThat(failed.needsRetry()).isTrue();
                assertThat(kernel.transactions).as("one that fails is the last").isEqualTo(number + 1);
                inForce(syncer.run(NODE, Map.of()));
                assertThat(inForce(syncer(kernel).run(NODE, services)).ops()).isZero();
            }
        }
    }

    /** What fails on the thread that sends fails the sync, whatever it is. */
    @Test
    void whatIsThrownWhileSendingEndsTheSync() {
        for (Throwable thrown : List.of(new IllegalStateException("a bug"), new OutOfMemoryError("no room"))) {
            for (int number = 0; number < 3; number++) {
                FakeKernel kernel = kernel();
                kernel.failAt(number, () -> {
                    if (thrown instanceof Error error) {
                        throw error;
                    }
                    throw (RuntimeException) thrown;
                });
                ViewSyncer syncer = syncer(kernel);
                assertThat(catchThrowable(() -> syncer.run(NODE, services))).isSameAs(thrown);
                assertThat(kernel.transactions).isEqualTo(number + 1);
                syncer.invalidateAll();
                inForce(syncer.run(NODE, Map.of()));
            }
        }
    }

    /** An interrupt reaches the work, and the one who waits stays interrupted; the end of the work is waited for. */
    @Test
    void anInterruptIsPassedOn() throws Exception {
        AtomicReference<Boolean> reached = new AtomicReference<>(false);
        ThreadTask<String> work = ThreadTask.start("send", () -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                reached.set(true);
            }
            return Thread.currentThread().getName();
        });
        Thread.currentThread().interrupt();
        assertThat(work.await()).isEqualTo("send");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(reached.get()).isTrue();
    }

    private static FakeKernel kernel() {
        FakeKernel kernel = new FakeKernel();
        kernel.sendIn(PORTION);
        return kernel;
    }

    private static ViewSyncer syncer(FakeKernel kernel) {
        return new ViewSyncer(new IptablesSyncer(kernel, Samples.layoutByText()));
    }

    private static SyncResult inForce(SyncResult report) {
        assertThat(report.result()).isEqualTo(new Result.InForce());
        return report;
    }

    private static Map<ServiceKey, Optional<ServiceView>> services() {
        Map<ServiceKey, Optional<ServiceView>> all = new HashMap<>();
        for (int n = 0; n < SERVICES; n++) {
            ServiceView service = Samples.service(IpFamily.IPV4, n, 5);
            all.put(service.key(), Optional.of(service));
        }
        return all;
    }
}
