package io.dualstackd.agent.faults;

import io.dualstackd.agent.faults.Expected.Judged;
import io.dualstackd.netlink.netns.NetNsCommands;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the kernel and queries the daemon's health continuously, and records the worst. Seconds as numbers, for people. */
final class Oracle implements AutoCloseable {
    /** What lags no more than that agrees: changes come all the time, and looking takes its time. */
    static final double AGREES_SECONDS = 3;

    private static final long LOOK_MILLIS = 400;
    private static final long ASK_MILLIS = 1000;

    private final Mode mode;
    private final Expected expected;
    private final NetNsCommands commands;
    private final Health health;
    private final Supervisor supervisor;
    private Look last = new Look(0, 0, 0, "not looked yet");
    private long lastIll = System.nanoTime();
    private Health.Report report = new Health.Report(java.util.List.of(), true);
    private long asked;
    private Worst worst = Worst.NOTHING;
    private int reads;
    private volatile boolean closed;

    /**
     * One look at the kernel.
     *
     * @param began by {@link System#nanoTime}
     * @param lag seconds for which what is worst has been wrong
     * @param silent seconds of them during which the health endpoints reported nothing
     * @param what is worst
     */
    record Look(long began, double lag, double silent, String what) {
        /** Every destination was right at some moment after {@code since}, and not long ago. */
        boolean agrees(long since) {
            return lag <= AGREES_SECONDS && lag < (began - since) / 1e9;
        }
    }

    /** Since the last {@link #fresh}; {@code health} is the first report that was not healthy. */
    record Worst(double lag, double silent, String what, String health) {
        static final Worst NOTHING = new Worst(0, 0, "", "");
    }

    private Oracle(Mode mode, Expected expected, NetNsCommands commands, Health health, Supervisor supervisor) {
        this.mode = mode;
        this.expected = expected;
        this.commands = commands;
        this.health = health;
        this.supervisor = supervisor;
    }

    static Oracle start(Mode mode, Expected expected, NetNsCommands commands, Health health, Supervisor supervisor) {
        Oracle oracle = new Oracle(mode, expected, commands, health, supervisor);
        Thread.ofPlatform().daemon().name("oracle-kernel").start(oracle::readKernel);
        Thread.ofPlatform().daemon().name("oracle-health").start(oracle::ask);
        return oracle;
    }

    private void readKernel() {
        try {
            while (!closed) {
                lookOnce();
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookOnce() throws InterruptedException {
        long began = System.nanoTime();
        Judged judged = new Judged(0, "");
        for (boolean ipv6 : new boolean[] {false, true}) {
            Judged one = read(ipv6);
            if (one == null) {
                return;
            }
            judged = one.nanos() > judged.nanos() ? one : judged;
        }
        add(began, judged);
    }

    /** Null when the kernel could not be read: others change it all the time. */
    private @Nullable Judged read(boolean ipv6) throws InterruptedException {
        try {
            long began = System.nanoTime();
            Map<Destination, Set<String>> seen = mode.read(commands, ipv6);
            return expected.judge(seen, ipv6, began);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return null;
        }
    }

    private synchronized void add(long began, Judged judged) {
        double lag = judged.nanos() / 1e9;
        double silent = Math.min(lag, Math.max(0, (began - lastIll) / 1e9));
        last = new Look(began, lag, silent, judged.what());
        reads++;
        if (lag > worst.lag()) {
            worst = new Worst(lag, Math.max(silent, worst.silent()), judged.what(), worst.health());
        } else if (silent > worst.silent()) {
            worst = new Worst(worst.lag(), silent, worst.what(), worst.health());
        }
        notifyAll();
    }

    private void ask() {
        try {
            while (!closed) {
                long began = System.nanoTime();
                Health.Report now = health.ask();
                supervisor.lively(now.livez());
                onHealth(now, began);
                Thread.sleep(ASK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void onHealth(Health.Report now, long began) {
        report = now;
        asked = began;
        if (now.isDegraded()) {
            lastIll = System.nanoTime();
            if (worst.health().isEmpty()) {
                worst = new Worst(worst.lag(), worst.silent(), worst.what(), now.toString());
            }
        }
    }

    /** Forgets what was worst so far. */
    synchronized void fresh() {
        worst = Worst.NOTHING;
    }

    synchronized Worst worst() {
        return worst;
    }

    synchronized Look last() {
        return last;
    }

    synchronized Health.Report healthReport() {
        return report;
    }

    synchronized int reads() {
        return reads;
    }

    /** Waits until a check that began after {@code since} agrees, and the daemon, queried after it, reports that it is healthy. */
    synchronized boolean awaitAgreement(long since, long seconds) throws InterruptedException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (!(last.agrees(since) && asked > since && report.isServing())) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(Math.min(left, 500));
        }
        return true;
    }

    /** Waits until the daemon, queried after {@code since}, reports no problem at all. */
    synchronized boolean awaitHealthy(long since, long seconds) throws InterruptedException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (asked <= since || report.isDegraded()) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(Math.min(left, 500));
        }
        return true;
    }

    @Override
    public void close() {
        closed = true;
    }
}
