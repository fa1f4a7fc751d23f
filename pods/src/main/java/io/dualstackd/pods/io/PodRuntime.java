package io.dualstackd.pods.io;

import io.dualstackd.pods.EventFlow;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.cri.Container;
import io.dualstackd.pods.cri.RuntimeConditions;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeVersion;
import io.dualstackd.pods.cri.Sandbox;
import io.dualstackd.pods.cri.SandboxReport;
import java.util.List;

/** The requests to a container runtime that following its pods needs. Each call returns within the client's deadline; none throws. */
public interface PodRuntime extends AutoCloseable {
    /** The endpoint, as the administrator wrote it. */
    String endpoint();

    RuntimeResult<List<Sandbox>> sandboxes();

    RuntimeResult<List<Container>> containers();

    RuntimeResult<SandboxReport> sandbox(String sandboxId);

    RuntimeResult<RuntimeVersion> version();

    RuntimeResult<RuntimeConditions> conditions();

    /** Passes the networks of the node's pods to the runtime. */
    RuntimeResult<PodCidrs> announce(PodCidrs cidrs);

    /**
     * Starts listening to the runtime's events; called once.
     *
     * @param listener called from another thread at every event and when {@link #events} changes; must not block
     */
    void listen(Runnable listener);

    EventFlow events();

    /** The number of connections made so far: after a reconnect it may be a different runtime, or have lost its state. */
    long connections();

    @Override
    void close();
}
