package io.dualstackd.pods.io;

import io.dualstackd.pods.EventFlow;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.cri.Container;
import io.dualstackd.pods.cri.RuntimeConditions;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeVersion;
import io.dualstackd.pods.cri.Sandbox;
import io.dualstackd.pods.cri.SandboxReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** A container runtime that does what the test specifies. */
final class ScriptedRuntime implements PodRuntime {
    private record Held(Sandbox sandbox, List<String> ips, int process) {}

    private static final long TIMEOUT_NANOS = 100_000_000;

    private final Map<String, Held> held = new TreeMap<>();
    final List<String> calls = new CopyOnWriteArrayList<>();
    private final AtomicReference<Runnable> beforeList = new AtomicReference<>(() -> {});
    private Runnable nudge = () -> {};
    private EventFlow flow = EventFlow.NOT_OFFERED;
    private final Set<String> broken = new HashSet<>();
    private final Set<String> hanging = new HashSet<>();
    private boolean silent;
    private boolean throwing;
    private boolean refusing;
    private long connections = 1;

    synchronized void has(String pod, boolean ready, int process, String... ips) {
        Sandbox sandbox = new Sandbox(
                "id-" + pod,
                Optional.of(new Sandbox.Metadata(pod, "uid-" + pod, "shop", 0)),
                ready,
                1_700_000_000_000_000_000L,
                Map.of("app", pod));
        held.put(sandbox.id(), new Held(sandbox, List.of(ips), process));
    }

    synchronized void remove(String pod) {
        held.remove("id-" + pod);
    }

    /** The status of this pod's sandbox cannot be read. */
    synchronized void broken(String pod, boolean now) {
        var _ = now ? broken.add("id-" + pod) : broken.remove("id-" + pod);
    }

    /** Requests for the status of this pod's sandbox get no answer, and end with a timeout of 0.1 s. */
    synchronized void hanging(String pod) {
        hanging.add("id-" + pod);
    }

    /** Requests for the status of a sandbox throw. */
    synchronized void throwing(boolean now) {
        throwing = now;
    }

    synchronized void silent(boolean now) {
        silent = now;
    }

    synchronized void refusing(boolean now) {
        refusing = now;
    }

    /** Happens while the next list of sandboxes is requested. */
    void beforeTheNextList(Runnable what) {
        beforeList.set(what);
    }

    void flow(EventFlow now) {
        synchronized (this) {
            flow = now;
        }
        event();
    }

    void event() {
        Runnable listener;
        synchronized (this) {
            listener = nudge;
        }
        listener.run();
    }

    private synchronized <T> RuntimeResult<T> answer(String call, Function<Map<String, Held>, RuntimeResult<T>> read) {
        calls.add(call);
        return silent ? new RuntimeResult.Unreachable<>("connection refused at played") : read.apply(held);
    }

    @Override
    public String endpoint() {
        return "unix:///played.sock";
    }

    @Override
    public RuntimeResult<List<Sandbox>> sandboxes() {
        beforeList.getAndSet(() -> {}).run();
        return answer(
                "sandboxes",
                all -> new RuntimeResult.Ok<>(
                        all.values().stream().map(Held::sandbox).toList()));
    }

    @Override
    public RuntimeResult<List<Container>> containers() {
        return answer("containers", all -> new RuntimeResult.Ok<>(List.of()));
    }

    @Override
    public RuntimeResult<SandboxReport> sandbox(String sandboxId) {
        return answer("look " + sandboxId, all -> {
            if (throwing) {
                throw new IllegalStateException("a mistake");
            }
            if (hanging.contains(sandboxId)) {
                LockSupport.parkNanos(TIMEOUT_NANOS);
                return new RuntimeResult.Unreachable<>("played did not answer");
            }
            if (broken.contains(sandboxId)) {
                return new RuntimeResult.Broken<>("the runtime cannot tell");
            }
            Held one = all.get(sandboxId);
            return one == null ? new RuntimeResult.NotFound<>("no such sandbox") : new RuntimeResult.Ok<>(sandbox(one));
        });
    }

    private static SandboxReport sandbox(Held one) {
        List<String> ips = new ArrayList<>(one.ips);
        String first = ips.isEmpty() ? "" : ips.removeFirst();
        return new SandboxReport(
                Optional.of(new SandboxReport.Status(
                        one.sandbox.ready(), false, Optional.of(new SandboxReport.Network(first, ips)))),
                one.process);
    }

    @Override
    public RuntimeResult<RuntimeVersion> version() {
        return answer("version", all -> new RuntimeResult.Ok<>(new RuntimeVersion("played", "1", "v1")));
    }

    @Override
    public RuntimeResult<RuntimeConditions> conditions() {
        return answer("conditions", all -> new RuntimeResult.Ok<>(new RuntimeConditions(List.of())));
    }

    @Override
    public RuntimeResult<PodCidrs> announce(PodCidrs cidrs) {
        return answer(
                "announce " + cidrs,
                all -> refusing ? new RuntimeResult.Broken<>("not now") : new RuntimeResult.Ok<>(cidrs));
    }

    @Override
    public synchronized void listen(Runnable listener) {
        nudge = listener;
    }

    @Override
    public synchronized EventFlow events() {
        return flow;
    }

    @Override
    public synchronized long connections() {
        return connections;
    }

    /** Simulates a restart that was too short to be noticed. */
    synchronized void restarted() {
        connections++;
    }

    @Override
    public void close() {
        calls.add("close");
    }
}
