package io.dualstackd.pods.io;

import io.dualstackd.pods.EventFlow;
import io.dualstackd.pods.PodCidrs;
import io.dualstackd.pods.SandboxLookup;
import io.dualstackd.pods.cri.Container;
import io.dualstackd.pods.cri.RuntimeConditions;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeVersion;
import io.dualstackd.pods.cri.Sandbox;
import java.util.List;

/** What following pods asks a container runtime. Each call returns within the client's deadline; none throws. */
public interface PodRuntime extends AutoCloseable {
    /** Where it is, as the admin wrote it. */
    String endpoint();

    RuntimeResult<List<Sandbox>> sandboxes();

    RuntimeResult<List<Container>> containers();

    RuntimeResult<SandboxLookup> look(String sandboxId);

    RuntimeResult<RuntimeVersion> version();

    RuntimeResult<RuntimeConditions> conditions();

    /** Tells the runtime which networks its pods get their addresses from. */
    RuntimeResult<PodCidrs> announce(PodCidrs cidrs);

    /**
     * Starts listening to the runtime's events; called once.
     *
     * @param nudge called from another thread at every event and when {@link #events} is another one; must not block
     */
    void listen(Runnable nudge);

    EventFlow events();

    /** How often it was connected to so far: after another time it may be another runtime, or have forgotten what it was told. */
    long connections();

    @Override
    void close();
}
