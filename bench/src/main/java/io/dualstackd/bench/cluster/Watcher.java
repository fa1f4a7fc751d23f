package io.dualstackd.bench.cluster;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.kubeapi.tree.JsonTree;
import io.dualstackd.kubeapi.tree.Tree;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A client that watches the daemon as {@code dualstackd monitor} does. While there is one, the daemon makes a record of each object that changes. */
final class Watcher implements AutoCloseable {
    private static final long PERIOD_MILLIS = 250;
    /** Less than the ten seconds for which the daemon makes records after a request. */
    private static final long STALLED_PERIOD_MILLIS = 2000;

    private static final int UNREAD = 16;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final Deque<SocketChannel> unread = new ArrayDeque<>();
    private final Thread thread;
    private volatile Optional<IOException> failed = Optional.empty();

    private Watcher(Path socket, boolean reads) {
        String[] from = {"now"};
        thread = Thread.ofPlatform().daemon().name("watcher").unstarted(() -> {
            while (!over.get()) {
                try {
                    if (reads) {
                        from[0] = read(socket, from[0]);
                        Thread.sleep(PERIOD_MILLIS);
                    } else {
                        stall(socket);
                        Thread.sleep(STALLED_PERIOD_MILLIS);
                    }
                } catch (IOException e) {
                    failed = Optional.of(e);
                    return;
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
    }

    /** One that reads every answer. */
    static Watcher reading(Path socket) {
        Watcher watcher = new Watcher(socket, true);
        watcher.thread.start();
        return watcher;
    }

    /** One that requests everything again and again, and never reads an answer. */
    static Watcher stalled(Path socket) {
        Watcher watcher = new Watcher(socket, false);
        watcher.thread.start();
        return watcher;
    }

    /** Waits until it watches no more. */
    void awaitEnd() throws InterruptedException {
        thread.join();
    }

    private String read(Path socket, String from) throws IOException {
        if (!(AdminClient.send(socket, "monitor " + from + " *") instanceof AdminClient.Answer.Report report)) {
            throw new IOException("no report");
        }
        Map<String, Tree> batch = JsonTree.read(report.text().getBytes(StandardCharsets.UTF_8))
                .orElseThrow(() -> new IOException("no JSON"))
                .entries();
        if (batch.get("lines") instanceof Tree.Sequence lines) {
            records.addAndGet(lines.items().size());
        }
        lost.addAndGet(Long.parseLong(text(batch, "lost")));
        return text(batch, "next");
    }

    private static String text(Map<String, Tree> of, String name) {
        return of.get(name) instanceof Tree.Scalar scalar ? scalar.text() : "0";
    }

    private void stall(Path socket) throws IOException {
        SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        unread.add(client);
        int ignored = client.write(ByteBuffer.wrap("monitor since-3600 *\n".getBytes(StandardCharsets.UTF_8)));
        records.incrementAndGet();
        if (unread.size() > UNREAD) {
            unread.remove().close();
        }
    }

    /** {@code 20,480 records, 29,520 lost} or {@code 5 answers unread}. Fails if the daemon did not answer: then nobody watched any more. */
    String summary() {
        failed.ifPresent(e -> {
            throw new IllegalStateException("the daemon does not answer the client that watches", e);
        });
        return unread.isEmpty()
                ? "%,d records read, %,d lost".formatted(records.get(), lost.get())
                : "%,d answers unread".formatted(records.get());
    }

    @Override
    public void close() throws Exception {
        over.set(true);
        thread.interrupt();
        thread.join();
        for (SocketChannel client : unread) {
            client.close();
        }
    }
}
