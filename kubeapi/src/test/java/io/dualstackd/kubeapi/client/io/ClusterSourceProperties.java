package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.snapshot.io.SnapshotFile;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.netlink.random.Draw;
import io.dualstackd.netlink.random.Tries;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to objects and connections in whatever order: in the end the store is equal to the server. */
final class ClusterSourceProperties {
    private static final int NAMES = 6;

    @TempDir
    private Path folder;

    /** Something happens on the server. */
    enum Kind {
        PUT_SERVICE,
        PUT_SLICE,
        DELETE_SERVICE,
        DELETE_SLICE,
        CUT,
        CUT_IN_THE_MIDDLE,
        EXPIRE,
        END,
        COMPACT,
        RESTART,
        /** A new process with an empty store; with 0 endpoints after everything was read. */
        OUR_RESTART
    }

    /** @param number of an object */
    record Step(Kind kind, int number, int endpoints) {}

    @Test
    void inTheEndBothAreEqual() {
        Tries.of(25, draw -> inTheEndBothAreEqual(steps(draw), draw.one(WireFormat.class), draw.bool()));
    }

    private void inTheEndBothAreEqual(List<Step> steps, WireFormat format, boolean streaming) throws Exception {
        try (TestApiServer server = TestCluster.filled(TestApiServer.plain(), 3)) {
            server.faults.streaming = streaming;
            server.faults.page = 2;
            SnapshotFile.remove(folder);
            TestCluster cluster =
                    TestCluster.of(server).format(format).snapshot(folder).start();
            try {
                for (Step step : steps) {
                    if (step.kind() == Kind.OUR_RESTART) {
                        if (step.endpoints() == 0) {
                            cluster.awaitEqual();
                        }
                        cluster.close();
                        cluster = TestCluster.of(server)
                                .format(format)
                                .snapshot(folder)
                                .start();
                    } else {
                        happen(server, step);
                    }
                }
                cluster.awaitEqual();
            } finally {
                cluster.close();
            }
        }
    }

    private static List<Step> steps(Draw draw) {
        return draw.list(1, 40, () -> new Step(draw.one(Kind.class), draw.between(1, NAMES), draw.upTo(3)));
    }

    private static void happen(TestApiServer server, Step step) {
        switch (step.kind()) {
            case PUT_SERVICE -> server.put(TestCluster.service(step.number()));
            case PUT_SLICE -> server.put(TestCluster.slice(step.number(), step.endpoints()));
            case DELETE_SERVICE ->
                server.delete(TestCluster.service(step.number()).key());
            case DELETE_SLICE ->
                server.delete(TestCluster.slice(step.number(), 0).key());
            case CUT -> server.faults.cutWatches();
            case CUT_IN_THE_MIDDLE -> server.faults.cutInTheMiddle(1);
            case EXPIRE -> server.faults.expireWatches(1);
            case END -> server.faults.endWatches(1);
            case COMPACT -> server.objects.compact();
            case RESTART -> {
                server.stop();
                server.start();
            }
            case OUR_RESTART -> throw new IllegalArgumentException("does not happen on the server");
        }
    }
}
