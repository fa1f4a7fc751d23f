package io.dualstackd.agent.pod.io;

import io.dualstackd.agent.cri.Answer;
import io.dualstackd.agent.cri.Container;
import io.dualstackd.agent.cri.ContainerEvent;
import io.dualstackd.agent.cri.Patience;
import io.dualstackd.agent.cri.RuntimeConditions;
import io.dualstackd.agent.cri.RuntimeEndpoint;
import io.dualstackd.agent.cri.RuntimeVersion;
import io.dualstackd.agent.cri.Sandbox;
import io.dualstackd.agent.cri.io.EventStream;
import io.dualstackd.agent.cri.io.RuntimeClient;
import io.dualstackd.agent.pod.EventFlow;
import io.dualstackd.agent.pod.Look;
import io.dualstackd.agent.pod.PodCidrs;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A container runtime behind its socket, with one stream of events that is opened again when it has ended. */
public final class CriPods implements PodRuntime {
    private final RuntimeClient client;
    private final AtomicReference<EventFlow> flow = new AtomicReference<>(EventFlow.BROKEN);
    private volatile Runnable nudge = () -> {};
    private @Nullable EventStream stream;

    private CriPods(RuntimeClient client) {
        this.client = client;
    }

    /** Asks nothing yet. */
    public static CriPods at(RuntimeEndpoint endpoint) {
        return new CriPods(RuntimeClient.open(endpoint, Patience.USUAL));
    }

    @Override
    public String endpoint() {
        return client.endpoint().toString();
    }

    /** Also opens the stream of events, when there is none: the runtime answers, so now is a good time. */
    @Override
    public Answer<List<Sandbox>> sandboxes() {
        Answer<List<Sandbox>> answer = client.sandboxes();
        if (answer instanceof Answer.Ok<?>) {
            listenAgain();
        }
        return answer;
    }

    @Override
    public Answer<List<Container>> containers() {
        return client.containers();
    }

    @Override
    public Answer<Look> look(String sandboxId) {
        return client.sandbox(sandboxId).map(report -> new Look(report.status(), report.process()));
    }

    @Override
    public Answer<RuntimeVersion> version() {
        return client.version();
    }

    @Override
    public Answer<RuntimeConditions> conditions() {
        return client.conditions();
    }

    @Override
    public Answer<PodCidrs> announce(PodCidrs cidrs) {
        return client.tellPodCidrs(cidrs.cidrs()).map(PodCidrs::new);
    }

    @Override
    public void listen(Runnable told) {
        nudge = told;
    }

    /** The client remembers which calls the runtime behind this connection does not know, so asking again costs nothing. */
    private void listenAgain() {
        if (stream != null && stream.isOpen()) {
            return;
        }
        flow.set(EventFlow.FLOWING);
        stream = client.events(new EventStream.Listener() {
            @Override
            public void event(ContainerEvent event) {
                nudge.run();
            }

            @Override
            public void ended(Answer.Failure<ContainerEvent> why) {
                flow.set(why instanceof Answer.Unimplemented<?> ? EventFlow.NOT_OFFERED : EventFlow.BROKEN);
                if (!(why instanceof Answer.Unimplemented<?>)) {
                    nudge.run();
                }
            }
        });
    }

    @Override
    public EventFlow events() {
        return flow.get();
    }

    @Override
    public void close() {
        if (stream != null) {
            stream.close();
        }
        client.close();
    }
}
