package io.dualstackd.pages.health.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.HttpRequest;
import io.dualstackd.pages.health.HttpRequest.Reading;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The connection of one client: the request is read and answered, and the connection ends. Used on the loop's thread. */
final class HttpConnection {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private enum Step {
        READING,
        /** An answer that takes long is being made. */
        WAITING,
        ANSWERING,
        /** Ends with a reset, which a client also gets where nothing listens. */
        RESETTING,
        /** Waits for the client to close first: closing with unread bytes would reset the connection and could swallow the answer. */
        LEAVING
    }

    private final SocketChannel client;
    private final HttpHandler handler;
    private final HttpLoop loop;
    private final long began;
    private ByteBuffer in = ByteBuffer.allocate(1024);
    private ByteBuffer out = NOTHING;
    private Step step = Step.READING;
    /** Makes the answer, if it takes long. */
    private @Nullable Runnable slow;
    /** Bytes of that answer that the loop counts as unread. */
    private int unread;

    HttpConnection(SocketChannel client, HttpHandler handler, HttpLoop loop, long began) {
        this.client = client;
        this.handler = handler;
        this.loop = loop;
        this.began = began;
    }

    /** The {@link System#nanoTime} of its beginning. */
    long began() {
        return began;
    }

    /** Does what can be done without waiting; returns false when the connection is over. */
    boolean goOn(SelectionKey key) throws IOException {
        return switch (step) {
            case READING -> read(key);
            case WAITING -> true;
            case ANSWERING -> write(key);
            case RESETTING -> {
                client.setOption(StandardSocketOptions.SO_LINGER, 0);
                yield false;
            }
            case LEAVING -> client.read(in.clear()) >= 0;
        };
    }

    private boolean read(SelectionKey key) throws IOException {
        if (client.read(in) < 0) {
            return false;
        }
        return switch (HttpRequest.read(in.array(), in.position())) {
            case Reading.More ignored -> {
                if (!in.hasRemaining()) {
                    in = ByteBuffer.allocate(HttpRequest.MAX_HEAD).put(in.flip());
                }
                yield true;
            }
            case Reading.Malformed ignored -> {
                onAnswer(Optional.of(HttpAnswer.BAD_REQUEST.encoded(true)));
                yield goOn(key);
            }
            case Reading.Complete(HttpRequest request) -> {
                Ip localAddress = localAddress();
                if (handler.takesLong(request)) {
                    step = Step.WAITING;
                    key.interestOps(0);
                    slow = () -> makeSlowly(key, request, localAddress);
                    loop.slowly(slow);
                } else {
                    onAnswer(make(request, localAddress));
                }
                yield goOn(key);
            }
        };
    }

    private Ip localAddress() throws IOException {
        // IPv4 in an IPv6 socket: Java gives the IPv4 address.
        return Ip.ofBytes(
                ((InetSocketAddress) client.getLocalAddress()).getAddress().getAddress());
    }

    private Optional<byte[]> make(HttpRequest request, Ip localAddress) {
        return handler.answer(request, localAddress)
                .map(answer -> answer.encoded(!request.method().equals("HEAD")));
    }

    /** Called on the thread of slow answers. */
    private void makeSlowly(SelectionKey key, HttpRequest request, Ip localAddress) {
        // Nothing is made for a client that has noticed its disconnection; its key is cancelled only later.
        if (!client.isOpen()) {
            return;
        }
        Optional<byte[]> bytes = Optional.empty();
        try {
            if (loop.hasRoom()) {
                bytes = make(request, localAddress);
            }
        } finally {
            Optional<byte[]> answer = bytes;
            loop.execute(() -> {
                if (key.isValid()) {
                    count(answer.map(its -> its.length).orElse(0));
                    onAnswer(answer);
                    key.interestOps(SelectionKey.OP_WRITE);
                }
            });
        }
    }

    private void onAnswer(Optional<byte[]> answer) {
        step = answer.isPresent() ? Step.ANSWERING : Step.RESETTING;
        out = answer.map(ByteBuffer::wrap).orElse(NOTHING);
    }

    private boolean write(SelectionKey key) throws IOException {
        client.write(out);
        if (out.hasRemaining()) {
            key.interestOps(SelectionKey.OP_WRITE);
            return true;
        }
        count(0);
        client.shutdownOutput();
        step = Step.LEAVING;
        key.interestOps(SelectionKey.OP_READ);
        return true;
    }

    private void count(int now) {
        loop.unread(now - unread);
        unread = now;
    }

    void close() {
        count(0);
        HttpLoop.closeQuietly(client);
        if (slow != null) {
            loop.forget(slow);
        }
    }
}
