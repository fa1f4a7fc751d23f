package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.objects.ObjectKey;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** One watch, on the server's side. */
final class TestWatch implements TestBody.Writer {
    private static final long LOOK_MILLIS = 20;

    private final TestObjects objects;
    private final TestFaults faults;
    private final TestWriting writing;
    private final ObjectKey.Kind kind;
    private final boolean initial;
    private final int seconds;
    private final int generation;
    private long since;

    TestWatch(
            TestObjects objects,
            TestFaults faults,
            TestWriting writing,
            ObjectKey.Kind kind,
            boolean initial,
            long since,
            int seconds) {
        this.objects = objects;
        this.faults = faults;
        this.writing = writing;
        this.kind = kind;
        this.initial = initial;
        this.since = since;
        this.seconds = seconds;
        this.generation = faults.generation();
    }

    @Override
    public void write(TestBody.Out out) throws IOException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        if (initial) {
            tellAll(out);
        } else if (since > objects.version()) {
            // As servers do: nothing, until there is something newer. White space, which JSON passes over, sends the
            // head.
            out.write(new byte[] {'\n'});
        } else {
            // So that the head is sent.
            out.write(writing.bookmark(kind, since, false));
        }
        while (System.nanoTime() < end) {
            if (faults.generation() != generation) {
                throw new IOException("cut");
            }
            if (faults.ended()) {
                return;
            }
            if (!objects.knows(since) || faults.expired()) {
                out.write(writing.error(TestApiServer.expired()));
                return;
            }
            for (TestObjects.Event event : next()) {
                send(out, event);
            }
        }
    }

    private List<TestObjects.Event> next() throws IOException {
        try {
            return objects.since(since, kind, LOOK_MILLIS);
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    private void tellAll(TestBody.Out out) throws IOException {
        List<TestObjects.Versioned> all;
        synchronized (objects) {
            all = objects.all(kind);
            since = objects.version();
        }
        for (TestObjects.Versioned each : all) {
            half(out, writing.event("ADDED", each));
        }
        out.write(writing.bookmark(kind, since, true));
    }

    private void send(TestBody.Out out, TestObjects.Event event) throws IOException {
        half(out, writing.event(event.type(), new TestObjects.Versioned(event.object(), event.version())));
        since = event.version();
    }

    private void half(TestBody.Out out, byte[] bytes) throws IOException {
        if (faults.half()) {
            out.write(Arrays.copyOf(bytes, bytes.length / 2));
            throw new IOException("cut in the middle");
        }
        out.write(bytes);
    }
}
