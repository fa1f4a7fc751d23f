package io.dualstackd.agent.pod.io;

import io.dualstackd.agent.cri.Answer;
import io.dualstackd.agent.cri.Container;
import io.dualstackd.agent.cri.RuntimeConditions;
import io.dualstackd.agent.cri.RuntimeVersion;
import io.dualstackd.agent.cri.Sandbox;
import io.dualstackd.agent.pod.EventFlow;
import io.dualstackd.agent.pod.Look;
import io.dualstackd.agent.pod.PodCidrs;
import java.util.List;

/** What following pods asks a container runtime. Each call returns within the client's deadline; none throws. */
public interface PodRuntime extends AutoCloseable {
    /** Where it is, as the admin wrote it. */
    String endpoint();

    Answer<List<Sandbox>> sandboxes();

    Answer<List<Container>> containers();

    Answer<Look> look(String sandboxId);

    Answer<RuntimeVersion> version();

    Answer<RuntimeConditions> conditions();

    /** Tells the runtime which networks its pods get their addresses from. */
    Answer<PodCidrs> announce(PodCidrs cidrs);

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
