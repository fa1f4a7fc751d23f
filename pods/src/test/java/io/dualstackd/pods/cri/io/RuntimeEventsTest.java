package io.dualstackd.pods.cri.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dualstackd.cri.v1.ContainerEventResponse;
import io.dualstackd.cri.v1.ContainerEventType;
import io.dualstackd.pods.cri.RuntimeResult;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The stream of events, from its beginning to each of its ends. */
final class RuntimeEventsTest extends RuntimeClientFixture {
    @Test
    void events() throws Exception {
        runtime.sendsEvents();
        Recorder recorder = new Recorder();
        EventStream stream = client.events(recorder);
        await().until(() -> runtime.listeners() == 1);

        ContainerEventResponse stopped = ContainerEventResponse.newBuilder()
                .setContainerId("s1")
                .setContainerEventType(ContainerEventType.CONTAINER_STOPPED_EVENT)
                .build();
        runtime.send(stopped);

        assertThat(recorder.events.poll(1, TimeUnit.MINUTES)).isEqualTo(stopped);
        assertThat(recorder.thread).isEqualTo("cri");
        assertThat(stream.isOpen()).isTrue();

        runtime.endStreams();
        assertThat(recorder.ends.poll(1, TimeUnit.MINUTES))
                .isEqualTo(new RuntimeResult.Unreachable<>("unix://" + socket + " ended the stream of events"));
        assertThat(stream.isOpen()).isFalse();
    }

    @Test
    void eventsEndWithTheRuntime() throws Exception {
        runtime.sendsEvents();
        Recorder recorder = new Recorder();
        client.events(recorder);
        await().until(() -> runtime.listeners() == 1);

        runtime.close();

        assertThat(recorder.ends.poll(1, TimeUnit.MINUTES)).isInstanceOf(RuntimeResult.Unreachable.class);
        assertThat(recorder.ends).isEmpty();
        runtime = FakeRuntime.listening(socket).sendsEvents();
        await().until(() -> client.events(new Recorder()).isOpen());
    }

    @Test
    void closedStreamsAreSilent() throws Exception {
        runtime.sendsEvents();
        Recorder recorder = new Recorder();
        EventStream stream = client.events(recorder);
        await().until(() -> runtime.listeners() == 1);

        stream.close();
        stream.close();

        await().until(() -> runtime.listeners() == 0);
        assertThat(client.version()).isInstanceOf(RuntimeResult.Ok.class);
        assertThat(recorder.ends).isEmpty();
        assertThat(recorder.events).isEmpty();
        assertThat(stream.isOpen()).isFalse();
    }

    @Test
    void noEventsFromOldRuntimes() throws Exception {
        Recorder first = new Recorder();
        client.events(first);
        assertThat(first.ends.poll(1, TimeUnit.MINUTES)).isEqualTo(new RuntimeResult.Unimplemented<>());

        Recorder second = new Recorder();
        assertThat(client.events(second).isOpen()).isFalse();
        assertThat(second.ends.poll()).isEqualTo(new RuntimeResult.Unimplemented<>());
        assertThat(runtime.calls()).containsExactly("GetContainerEvents");
    }

    @Test
    void exceptionOfOneListenerDoesNotAffectOthers() throws Exception {
        runtime.sendsEvents();
        Recorder recorder = new Recorder() {
            @Override
            public void event(ContainerEventResponse event) {
                throw new IllegalStateException("a bug of the listener's");
            }
        };
        client.events(recorder);
        await().until(() -> runtime.listeners() == 1);

        runtime.send(ContainerEventResponse.getDefaultInstance());

        assertThat(recorder.ends.poll(1, TimeUnit.MINUTES)).isInstanceOf(RuntimeResult.Failure.class);
        assertThat(client.version()).isInstanceOf(RuntimeResult.Ok.class);
    }

    /** Records the events. */
    static class Recorder implements EventStream.Listener {
        final BlockingQueue<ContainerEventResponse> events = new LinkedBlockingQueue<>();
        final BlockingQueue<RuntimeResult.Failure<ContainerEventResponse>> ends = new LinkedBlockingQueue<>();
        volatile String thread = "";

        @Override
        public void event(ContainerEventResponse event) {
            thread = Thread.currentThread().getName();
            events.add(event);
        }

        @Override
        public void ended(RuntimeResult.Failure<ContainerEventResponse> why) {
            ends.add(why);
        }
    }
}
