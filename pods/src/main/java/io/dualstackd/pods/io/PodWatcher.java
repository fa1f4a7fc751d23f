package io.dualstackd.pods.io;

import io.dualstackd.netlink.sys.ProcessExits;
import io.dualstackd.netlink.sys.SysException;
import io.dualstackd.pods.NodeNames;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.Pods;
import io.dualstackd.pods.RelistPace;
import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.pods.SavedPods;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import io.dualstackd.supervision.sys.SteadyClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maintains the list of this node's pods, on one thread of its own, {@code pods}. */
public final class PodWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("pods");

    /** A runtime that starts a pod sends a dozen events; they are handled together. */
    private static final Duration GATHER = Duration.ofMillis(10);

    /** The changes that a runtime reports while it starts a pod are saved once. */
    private static final Duration SAVE = Duration.ofMillis(200);

    /** The pause after a failure to save them: a disk may be full for a while. */
    private static final Duration SAVE_AGAIN = Duration.ofSeconds(5);

    /** Receives changes, after {@link #pods} shows them: on the watcher's thread; for remembered pods on the thread that starts it. */
    @FunctionalInterface
    public interface Listener {
        /** @param first the runtime has answered for the first time; before this, no pods were known, or only remembered ones */
        void changed(Pods before, Pods after, boolean first);
    }

    private final PodRuntime runtime;
    private final PodLister round;
    private final Listener listener;
    private final ProcessExits exits;
    private final SandboxProcesses sandboxes;
    private final SavedPodsFile memory;
    private final RelistPace pace = new RelistPace();
    /** Processes that have ended while the runtime has not reported it: their pods have ended unless it contradicts. */
    private final Set<Integer> ended = new HashSet<>();
    /** Processes that have ended while the runtime keeps listing their sandboxes as ready: the runtime's state is accepted. */
    private final Set<Integer> contradicted = new HashSet<>();

    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch complete = new CountDownLatch(1);
    private final Worker worker;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean eventsPending;
    private volatile boolean wakeupPending;
    private volatile Pods pods = Pods.NONE;
    /** Used in place of the runtime's lists until the first one is read. */
    private Pods remembered = Pods.NONE;

    private volatile boolean recalled;
    /** The pods of the last cycle; null when they did not reach the listener, so that the same list is passed on again. */
    private @Nullable Pods listed = Pods.NONE;
    /** When to save the known pods; empty when that has been done. */
    private Optional<Instant> saveAt = Optional.empty();

    private PodWatcher(
            PodRuntime runtime,
            Supplier<NodeNames> node,
            Supplier<PodCidrs> cidrs,
            Listener listener,
            SandboxProcesses sandboxes,
            SavedPodsFile memory,
            ProcessExits exits,
            Supervisor supervisor) {
        this.memory = memory;
        this.sandboxes = sandboxes;
        this.runtime = runtime;
        this.round = new PodLister(runtime, node, cidrs);
        this.listener = listener;
        this.exits = exits;
        this.worker = supervisor.worker(Component.PODS, this::follow);
    }

    /**
     * Follows the runtime's pods from now on, and closes the runtime's client in the end. Requests to a runtime that does not answer are
     * repeated until it does; meanwhile the pods are those that {@code memory} holds, as far as their processes still run.
     *
     * @param node called before each list is read; must not block
     * @param cidrs the node's networks to pass to the runtime; called as often
     * @throws SysException when the kernel gives no file descriptor
     */
    public static PodWatcher start(
            PodRuntime runtime,
            Supplier<NodeNames> node,
            Supplier<PodCidrs> cidrs,
            Listener listener,
            SavedPodsFile memory,
            Supervisor supervisor)
            throws SysException {
        return start(runtime, node, cidrs, listener, memory, Path.of("/proc"), supervisor);
    }

    static PodWatcher start(
            PodRuntime runtime,
            Supplier<NodeNames> node,
            Supplier<PodCidrs> cidrs,
            Listener listener,
            SavedPodsFile memory,
            Path proc,
            Supervisor supervisor)
            throws SysException {
        PodWatcher watch = new PodWatcher(
                runtime, node, cidrs, listener, new SandboxProcesses(proc), memory, ProcessExits.create(), supervisor);
        memory.recall(runtime.endpoint()).ifPresent(watch::goOnWith);
        var _ = watch.worker.start();
        return watch;
    }

    private void goOnWith(SavedPods last) {
        Set<Integer> processes = sandboxes.of(last.pods());
        Set<String> over = new HashSet<>(last.visible());
        over.removeAll(sandboxes.visible());
        remembered = last.pods().withEnded(over);
        ended.addAll(exits.watch(processes));
        recalled = true;
        LOG.info(
                "pods known from before the restart pods={} next=\"ask the runtime\"",
                remembered.all().size());
        show(false);
    }

    /** All pods as the runtime last listed them; before the first list the remembered ones, or {@link Pods#NONE}. */
    public Pods pods() {
        return pods;
    }

    public RuntimeReport runtime() {
        return round.report();
    }

    /** Whether the pods are remembered ones: the runtime has not listed any yet. */
    public boolean remembers() {
        return recalled && complete.getCount() > 0;
    }

    /** Waits until the runtime has listed its pods once, at most {@code longest}; returns whether it has. */
    public boolean awaitFirst(Duration longest) throws InterruptedException {
        return complete.await(longest.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Wakes the thread because something that pods depend on has changed: the node's addresses, its networks. */
    public void wakeUp() {
        wakeupPending = true;
        exits.wake();
    }

    private void follow(Heartbeat heartbeat) throws SysException, InterruptedException {
        runtime.listen(() -> {
            eventsPending = true;
            exits.wake();
        });
        while (closed.getCount() > 0) {
            turn(heartbeat);
            Set<Integer> gone = await(SteadyClock.now().plus(pace.wait(SteadyClock.now())), heartbeat);
            if (!gone.isEmpty()) {
                ended.addAll(gone);
                // At once: a request to the runtime takes longer than all the rest.
                show(false);
            } else if (eventsPending) {
                boolean ignored = closed.await(GATHER.toNanos(), TimeUnit.NANOSECONDS);
            }
        }
    }

    /** Waits until that moment or a wakeup; saves the known pods when it is time for that. */
    private Set<Integer> await(Instant until, Heartbeat heartbeat) throws SysException {
        while (true) {
            heartbeat.beat();
            Instant wake = saveAt.filter(until::isAfter).orElse(until);
            Set<Integer> gone = exits.await(Math.max(
                    0,
                    heartbeat.atMost(Duration.between(SteadyClock.now(), wake)).toMillis() + 1));
            Instant now = SteadyClock.now();
            saveAt.filter(at -> !at.isAfter(now)).ifPresent(at -> save());
            if (!gone.isEmpty() || eventsPending || wakeupPending || closed.getCount() == 0 || !now.isBefore(until)) {
                return gone;
            }
        }
    }

    private void save() {
        boolean saved = memory.remember(runtime.endpoint(), pods, sandboxes.visible());
        saveAt = saved ? Optional.empty() : Optional.of(SteadyClock.now().plus(SAVE_AGAIN));
    }

    private void turn(Heartbeat heartbeat) {
        // What depends on the node, or on a status that could not be read, changes without an event of the runtime.
        boolean signalled = eventsPending || wakeupPending || !round.unread().isEmpty();
        eventsPending = false;
        wakeupPending = false;
        Instant now = SteadyClock.now();
        pace.flow(runtime.events(), now);
        try {
            boolean answered = round.run(Instant.now(), pace.trustsEvents(now), heartbeat);
            if (answered) {
                // An event may come while the list that shows the change is read.
                listed(signalled || eventsPending || !ended.isEmpty());
                pace.unread(round.unread(), SteadyClock.now());
            } else {
                pace.failed();
            }
        } catch (RuntimeException mistake) {
            // A bug of dualstackd; the pods known so far stay, and the next list may be readable.
            LOG.error("pods cannot be read, please report it next=try-again", mistake);
            pace.failed();
        }
    }

    private void listed(boolean signalled) {
        Pods before = pods;
        boolean first = complete.getCount() > 0;
        if (!first && round.pods().equals(listed) && ended.isEmpty()) {
            // The usual case, each second when there are no events.
            pace.listed(false, Set.of(), SteadyClock.now());
            return;
        }
        listed = round.pods();
        Set<Integer> processes = sandboxes.of(round.pods());
        ended.retainAll(processes);
        contradicted.retainAll(processes);
        for (int process : Set.copyOf(ended)) {
            if (!pace.stillDoubts(process)) {
                ended.remove(process);
                contradicted.add(process);
            }
        }
        processes.removeAll(ended);
        processes.removeAll(contradicted);
        // Processes that ended between being found and being watched.
        ended.addAll(exits.watch(processes));
        show(first);
        pace.listed(!first && !signalled && !pods.equals(before), ended, SteadyClock.now());
    }

    private void show(boolean first) {
        Pods before = pods;
        Pods known = first || complete.getCount() == 0 ? round.pods() : remembered;
        Pods after = known.withEnded(sandboxes.heldBy(ended));
        if (first || !after.equals(before)) {
            pods = after;
            try {
                listener.changed(before, after, first);
            } catch (RuntimeException mistake) {
                pods = before;
                listed = null;
                throw mistake;
            }
            saveAt = saveAt.or(() -> Optional.of(SteadyClock.now().plus(SAVE)));
        }
        if (first) {
            complete.countDown();
        }
    }

    @Override
    public void close() {
        if (over.getAndSet(true)) {
            return;
        }
        closed.countDown();
        exits.wake();
        worker.interrupt();
        worker.join();
        // On this thread, because an interrupt would abort the write.
        saveAt.ifPresent(at -> save());
        runtime.close();
        exits.close();
    }
}
