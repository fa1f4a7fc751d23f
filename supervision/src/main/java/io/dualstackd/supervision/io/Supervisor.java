package io.dualstackd.supervision.io;

import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.sys.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches every running component: checks every three seconds which of them have beaten, and ends the process when one of them has been
 * silent for twice its deadline. Thread-safe.
 */
public final class Supervisor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    /** Of a component with several threads: one that is silent because it announced a wait must not hide one that is overdue. */
    private static final Comparator<ComponentState> WORST =
            Comparator.comparing(ComponentState::overdue).thenComparing(ComponentState::age);

    private final FatalAction fatal;
    private final Function<Component, Duration> deadlines;
    private final LongSupplier nanos;
    /** The time between two checks: a fifth of the shortest deadline, which is the supervisor's own. */
    private final Duration period;

    private final List<Row> rows = new ArrayList<>();
    private final Map<Component, Failures> failures = new EnumMap<>(Component.class);
    private final Platform platform;
    private final Platform.Latch closed;
    private long lookedAt;
    private boolean watching;
    private @Nullable Worker worker;

    /** The failures of a component so far. */
    private record Failures(long count, long at, String what) {}

    /** Creates a supervisor with the deadlines of {@link Component}. */
    public Supervisor(FatalAction fatal) {
        this(fatal, Platform.system());
    }

    /** @param platform where its components live */
    public Supervisor(FatalAction fatal, Platform platform) {
        this(fatal, Component::deadline, platform::nanoTime, platform);
    }

    /**
     * @param deadlines how long each component may be silent
     * @param nanos the clock, as {@link System#nanoTime}
     */
    public Supervisor(FatalAction fatal, Function<Component, Duration> deadlines, LongSupplier nanos) {
        this(fatal, deadlines, nanos, Platform.system());
    }

    private Supervisor(
            FatalAction fatal, Function<Component, Duration> deadlines, LongSupplier nanos, Platform platform) {
        this.platform = platform;
        this.closed = platform.latch();
        this.fatal = fatal;
        this.deadlines = deadlines;
        this.nanos = nanos;
        this.period = deadlines.apply(Component.SUPERVISOR).dividedBy(5);
        this.lookedAt = nanos.getAsLong();
    }

    /** A supervisor that checks no deadlines, for components that are used alone; they are started again when they fail. */
    public static Supervisor none() {
        return new Supervisor(FatalAction.ofThread());
    }

    /** Starts the checks, on the thread {@code supervisor}. */
    public synchronized Supervisor start() {
        lookedAt = nanos.getAsLong();
        watching = true;
        worker = worker(Component.SUPERVISOR, heartbeat -> {
                    while (!closed.await(period)) {
                        tick();
                        heartbeat.beat();
                    }
                })
                .start();
        return this;
    }

    /** Registers a component that beats itself; watched until the row is closed. */
    public Row heartbeat(Component component) {
        return add(component, () -> 0);
    }

    /**
     * Registers a component that is watched until the row is closed.
     *
     * @param sign changes as long as the component lives
     */
    public Row heartbeat(Component component, LongSupplier sign) {
        return add(component, sign);
    }

    /** Returns the thread of a component, not started yet; watched as long as it runs. */
    public Worker worker(Component component, Worker.Loop loop) {
        return new Worker(new Row(component, () -> 0), loop, fatal, platform);
    }

    /** The platform of the components: their clocks, threads and waits. */
    public Platform platform() {
        return platform;
    }

    /** The action for an error that must end the process. */
    public FatalAction fatal() {
        return fatal;
    }

    private Row add(Component component, LongSupplier sign) {
        Row row = new Row(component, sign);
        row.beat();
        return row;
    }

    /** Checks all components. */
    void tick() {
        List<Runnable> findings = new ArrayList<>();
        synchronized (this) {
            long now = nanos.getAsLong();
            // If more time has passed, the whole process was stopped.
            long step = Math.clamp(now - lookedAt, 0, 2 * period.toNanos());
            lookedAt = now;
            for (Row row : List.copyOf(rows)) {
                row.check(step).ifPresent(findings::add);
            }
        }
        // Without the lock: states() answers even if the log blocks.
        findings.forEach(Runnable::run);
    }

    /** The state of every running component, in the order of the table; the worst where several threads belong to one. */
    public synchronized List<ComponentState> states() {
        long now = nanos.getAsLong();
        Map<Component, ComponentState> states = new EnumMap<>(Component.class);
        for (Row row : rows) {
            states.merge(row.component, row.state(now), (a, b) -> WORST.compare(a, b) >= 0 ? a : b);
        }
        return List.copyOf(states.values());
    }

    private Optional<ComponentState.Failure> failure(Component component, long now) {
        return Optional.ofNullable(failures.get(component))
                .map(last -> new ComponentState.Failure(Duration.ofNanos(now - last.at()), last.what()));
    }

    private synchronized void failed(Component component, Exception e) {
        long before = Optional.ofNullable(failures.get(component))
                .map(Failures::count)
                .orElse(0L);
        failures.put(component, new Failures(before + 1, nanos.getAsLong(), e.toString()));
    }

    /** Stops the checks. */
    @Override
    public void close() {
        closed.open();
        Worker running;
        synchronized (this) {
            running = worker;
        }
        if (running != null && !running.isCurrent()) {
            running.interrupt();
            running.join();
        }
    }

    /** One thread, event loop or chain of callbacks. */
    public final class Row implements Heartbeat, AutoCloseable {
        private final Component component;
        private final LongSupplier sign;
        private final long deadline;
        private final AtomicLong beats = new AtomicLong();
        private volatile long quiet;
        // The fields below are guarded by the lock of the supervisor.
        private boolean watched;
        private long seenBeats;
        private long seenSign;
        private long age;
        private boolean reported;

        private Row(Component component, LongSupplier sign) {
            this.component = component;
            this.sign = sign;
            this.deadline = deadlines.apply(component).toNanos();
        }

        Component component() {
            return component;
        }

        @Override
        public void beat() {
            quiet(Duration.ZERO);
        }

        @Override
        public void quiet(Duration longest) {
            // The beat first: a check that sees the new wait must not count the silence before it.
            boolean first = beats.getAndIncrement() == 0;
            quiet = longest.toNanos();
            if (first) {
                register();
            }
        }

        @Override
        public void idle() {
            quiet(Duration.ofNanos(Long.MAX_VALUE));
        }

        @Override
        public Duration longestWait() {
            return Duration.ofNanos(deadline / 3);
        }

        /** Beats repeatedly on that thread, until it shuts down. */
        public void beatOn(ScheduledExecutorService loop) {
            long every = longestWait().toNanos();
            var _ = loop.scheduleWithFixedDelay(this::beat, every, every, TimeUnit.NANOSECONDS);
        }

        private void register() {
            synchronized (Supervisor.this) {
                watched = true;
                rows.add(this);
            }
        }

        void failed(Exception e) {
            Supervisor.this.failed(component, e);
        }

        /** @param announced wait, read before the beats */
        private static boolean isSilentFor(long time, long age, long announced) {
            // An idle component may be silent for ever.
            return age - time > announced;
        }

        /** Returns what has to be said or done about it, to be called without the lock. */
        private Optional<Runnable> check(long step) {
            long announced = quiet;
            long beat = beats.get();
            long signed = sign.getAsLong();
            if (beat != seenBeats || signed != seenSign) {
                seenBeats = beat;
                seenSign = signed;
                age = 0;
                boolean again = reported;
                reported = false;
                return again
                        ? Optional.of(() -> LOG.info("component responds again component={}", component))
                        : Optional.empty();
            }
            age += step;
            long silent = seconds(age);
            if (isSilentFor(2 * deadline, age, announced)) {
                return Optional.of(() -> end(silent));
            }
            if (isSilentFor(deadline, age, announced) && !reported) {
                reported = true;
                return Optional.of(() -> overdue(silent));
            }
            return Optional.empty();
        }

        private void end(long silent) {
            String why = "component " + component + " has been silent for " + silent + " s, it " + component.purpose();
            fatal.end(why, StackTraces.of(component, why));
        }

        private void overdue(long silent) {
            LOG.error(
                    "component is overdue component={} purpose=\"{}\" silentSeconds={} next=end-the-process-in-{}-s",
                    component,
                    component.purpose(),
                    silent,
                    seconds(deadline),
                    StackTraces.of(component, "where it stands"));
        }

        private ComponentState state(long now) {
            // The supervisor cannot report its own silence.
            boolean self = component == Component.SUPERVISOR && watching;
            long announced = quiet;
            // What was silent before a beat that no check has seen yet does not count.
            long silent = self ? now - lookedAt : beats.get() == seenBeats ? age : 0;
            Failures before = failures.get(component);
            return new ComponentState(
                    component,
                    Duration.ofNanos(announced == Long.MAX_VALUE ? 0 : silent),
                    self ? silent > deadline : isSilentFor(deadline, silent, announced),
                    before == null ? 0 : before.count(),
                    failure(component, now));
        }

        /** The component ended regularly; it is not watched any more. */
        @Override
        public void close() {
            synchronized (Supervisor.this) {
                if (watched) {
                    watched = false;
                    rows.remove(this);
                }
            }
        }
    }

    private static long seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos);
    }
}
