package io.dualstackd.agent.e2e;

import io.dualstackd.dataplane.model.ProxyMode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rows of {@code docs/checklist.md} that need the whole daemon: manifests go in, real packets and HTTP come out. One laboratory and
 * one daemon for all rows; each row has numbers of its own and leaves nothing behind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ChecklistContract
        implements HealthRows, AffinityRows, SelectionRows, LifeRows, ConntrackRows, FlowRows, RolloutRows {
    private NodeUnderTest node;

    protected abstract ProxyMode mode();

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        node = NodeUnderTest.start(folder, mode());
    }

    @AfterAll
    void end() throws Exception {
        node.close();
    }

    @Override
    public NodeUnderTest node() {
        return node;
    }
}
