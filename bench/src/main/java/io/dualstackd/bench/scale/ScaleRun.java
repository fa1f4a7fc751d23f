package io.dualstackd.bench.scale;

import io.dualstackd.agent.app.HeapKeeper;
import io.dualstackd.bench.measure.Percentiles;
import io.dualstackd.bench.measure.Report;
import io.dualstackd.bench.measure.Resident;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures all rows of one testbed, in an order in which the first load's memory is measured first. */
final class ScaleRun {
    /** A prime, so that consecutive changes affect Services far from each other. */
    private static final long STRIDE = 7919;

    /** The pause before a single change, in which other programs use the processor and its caches, as before a real change. */
    private static final Duration REST = Duration.ofMillis(20);

    private static final int RESTED = 100;

    /** Number of endpoints that change together in the largest change. */
    private static final int AT_ONCE = 1000;

    private final Testbed bed;
    private final Plan plan;
    private final String families;
    private final HeapKeeper heap = new HeapKeeper(() -> {});

    ScaleRun(Testbed bed, Plan plan, String families) {
        this.bed = bed;
        this.plan = plan;
        this.families = families;
    }

    /**
     * The number of rounds.
     *
     * @param single for changes of one Service
     * @param bulk for changes of many
     * @param rival whether the usual program is tried
     */
    record Plan(int restarts, Rounds single, Rounds bulk, boolean rival) {}

    /** Measures and prints. */
    void run() throws Exception {
        say("first load");
        SyncMeasurement load = bed.load();
        Resident loaded = Resident.of(ProcessHandle.current().pid());
        List<SyncMeasurement> restarts = new ArrayList<>();
        for (int i = 0; i < plan.restarts(); i++) {
            restarts.add(bed.restart());
        }
        System.gc();
        Resident after = Resident.of(ProcessHandle.current().pid());

        say("the same bytes in the twin");
        load = load.besideRaw(bed.raiseTwin());
        if (plan.rival()) {
            say("the same through the usual program");
            load = load.besideRival(bed.loadRival());
        }
        print("first load", List.of(load));
        print("restart, kernel right", restarts);
        singleChanges();
        bulkChange();
        System.out.printf(
                "  %-5s memory of the process     %d MB at most until loaded, %d MB after restarts and a collection%n",
                families, loaded.peak() >> 20, after.now() >> 20);
    }

    private void singleChanges() throws Exception {
        say("single changes");
        Cluster cluster = bed.cluster();
        int endpoints = cluster.endpoints();
        List<SyncMeasurement> replaced = new ArrayList<>();
        List<SyncMeasurement> added = new ArrayList<>();
        List<SyncMeasurement> removed = new ArrayList<>();
        List<SyncMeasurement> newNumber = new ArrayList<>();
        List<SyncMeasurement> lastOfNumber = new ArrayList<>();
        List<SyncMeasurement> gone = new ArrayList<>();
        List<SyncMeasurement> back = new ArrayList<>();
        rounds((n, i, rival) -> {
            ServiceShape oneReplaced = cluster.usual(n).replacing(i % endpoints);
            thereAndBack(ServiceChange.of(n, oneReplaced), replaced, replaced, rival);
            thereAndBack(ServiceChange.of(n, ServiceShape.with(endpoints + 1)), added, removed, rival);
            thereAndBack(ServiceChange.of(n, ServiceShape.GONE), gone, back, rival);
        });
        // Measured separately: each leaves work in the kernel that continues afterwards.
        rounds((n, i, rival) ->
                thereAndBack(ServiceChange.of(n, ServiceShape.with(endpoints + 2)), newNumber, lastOfNumber, rival));
        List<SyncMeasurement> rested = new ArrayList<>();
        for (int i = 0; i < RESTED; i++) {
            int n = service(i);
            ServiceChange serviceChange = ServiceChange.of(n, cluster.usual(n).replacing(i % endpoints));
            Thread.sleep(REST);
            rested.add(change(serviceChange));
            bed.change(serviceChange.undo(cluster));
        }
        print("replace one endpoint", replaced);
        print("  after 20 ms of rest", rested);
        print("add one endpoint", added);
        print("remove one endpoint", removed);
        print("add two, a new number", newNumber);
        print("remove two, its last", lastOfNumber);
        print("remove one service", gone);
        print("add one service", back);
    }

    private interface Round {
        void of(int service, int number, boolean rival) throws Exception;
    }

    private void rounds(Round round) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; plan.single().goOn(i, start); i++) {
            round.of(service(i), i, i < plan.single().rivals());
        }
    }

    /** Returns the number of a Service; never the first, which differs from the others. */
    private int service(int round) {
        return 1 + (int) (round * STRIDE % (bed.cluster().services() - 1));
    }

    private void bulkChange() throws Exception {
        say("many changes at once");
        Cluster cluster = bed.cluster();
        int count = Math.min(AT_ONCE, cluster.services() * cluster.endpoints());
        ServiceChange serviceChange = ServiceChange.replacing(cluster, count);
        List<SyncMeasurement> replaced = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; plan.bulk().goOn(i, start); i++) {
            thereAndBack(serviceChange, replaced, replaced, i < plan.bulk().rivals());
        }
        print("replace " + Percentiles.grouped(count) + " at once", replaced);
    }

    private void thereAndBack(
            ServiceChange serviceChange, List<SyncMeasurement> there, List<SyncMeasurement> back, boolean rival)
            throws Exception {
        ServiceChange undo = serviceChange.undo(bed.cluster());
        SyncMeasurement forth = change(serviceChange);
        SyncMeasurement home = change(undo);
        there.add(rival ? forth.besideRival(bed.rivalChange(serviceChange, false)) : forth);
        back.add(rival ? home.besideRival(bed.rivalChange(serviceChange, true)) : home);
    }

    /** The work that the daemon does after a sync, following 20 ms without other work, is done before this one. */
    private SyncMeasurement change(ServiceChange serviceChange) throws Exception {
        heap.makeRoom();
        return bed.change(serviceChange);
    }

    private void say(String what) {
        Report.progress(families + " " + bed.cluster().services() + " services: " + what);
    }

    private void print(String what, List<SyncMeasurement> runs) {
        System.out.print(FigureTable.row(families, what, runs));
    }

    /**
     * How often a row is measured: as often as fits into a time budget, within limits.
     *
     * @param rivals rounds in which the usual program is measured as well
     */
    record Rounds(int atLeast, int atMost, Duration budget, int rivals) {
        /** Whether there is another round after {@code done} of them. */
        boolean goOn(int done, long startNanos) {
            return done < atLeast || (done < atMost && System.nanoTime() - startNanos < budget.toNanos());
        }
    }
}
