package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.client.Reply;
import io.dualstackd.kubeapi.client.TokenBucket;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.supervision.sys.Platform;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Single requests to the API server, in JSON: sequentially over one connection, at the configured maximum rate. Thread-safe; calls block,
 * so they must not be made on the thread {@code api}.
 */
public final class RestClient implements ApiClient {
    private static final Duration FIRST_BYTE = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** For the whole answer: the server itself gives up a request after a minute. */
    private static final Duration WHOLE = Duration.ofMinutes(2);

    /** Above the pods of any node: servers send a list from their cache as a whole, whatever limit is asked for. */
    private static final int LARGEST_ANSWER = 32 << 20;

    /** Maximum number of waiting requests; more would be outdated before they are sent. */
    private static final int LONGEST_QUEUE = 1000;

    /** Each request fails by itself long before; this is for the case that the thread has ended. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static final int UNAUTHORIZED = 401;
    private static final String JSON = WireFormat.JSON.mediaType();

    private final Dialer dialer;
    private final Duration whole;
    private final ApiConnection connection;
    private final TokenBucket bucket;
    private final Queue<Pending> waiting = new ArrayDeque<>();
    private @Nullable Pending current;
    private boolean closed;

    RestClient(Dialer dialer, double perSecond, int burst) {
        this(dialer, perSecond, burst, WHOLE);
    }

    /** @param whole the time within which an answer must end, even if its bytes never stop coming */
    RestClient(Dialer dialer, double perSecond, int burst, Duration whole) {
        this.dialer = dialer;
        this.whole = whole;
        this.connection = new ApiConnection(dialer);
        this.bucket = new TokenBucket(perSecond, burst, platform().nanoTime());
    }

    @Override
    public Reply get(String target) {
        return await(send("GET", target, Optional.empty()));
    }

    @Override
    public Reply patch(String target, String contentType, String body) {
        return await(send("PATCH", target, Optional.of(new ApiRequest.Body(contentType, body))));
    }

    @Override
    public Reply post(String target, String body) {
        return await(send("POST", target, Optional.of(new ApiRequest.Body(JSON, body))));
    }

    private CompletableFuture<Reply> send(String method, String target, Optional<ApiRequest.Body> body) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        Pending pending = new Pending(new ApiRequest(method, target, JSON, false, body, FIRST_BYTE, SILENCE), reply);
        if (!dialer.loop().offer(() -> queue(pending))) {
            reply.complete(
                    new Reply.Failed("the conversation with " + dialer.server().url() + " is over"));
        }
        return reply;
    }

    private Platform platform() {
        return dialer.loop().platform();
    }

    private Reply await(CompletableFuture<Reply> reply) {
        try {
            return platform().await(reply, LONGEST)
                    ? reply.join()
                    : new Reply.Failed("no answer from " + dialer.serverName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply.Failed("interrupted while waiting for " + dialer.serverName());
        }
    }

    private void queue(Pending pending) {
        if (closed) {
            pending.done(
                    new Reply.Failed("the conversation with " + dialer.server().url() + " is over"));
        } else if (waiting.size() >= LONGEST_QUEUE) {
            pending.done(
                    new Reply.Failed(LONGEST_QUEUE + " questions to " + dialer.serverName() + " are waiting already"));
        } else {
            waiting.add(pending);
            next();
        }
    }

    private void next() {
        if (current != null || waiting.isEmpty() || closed) {
            return;
        }
        Pending pending = waiting.remove();
        current = pending;
        var _ = dialer.loop()
                .schedule(
                        () -> send(pending),
                        Duration.ofNanos(bucket.take(platform().nanoTime())));
    }

    private void send(Pending pending) {
        if (!closed) {
            connection.send(pending.apiRequest, pending);
        }
    }

    /** To be called on the thread {@code api}. */
    void close() {
        closed = true;
        connection.close();
        Reply over = new Reply.Failed("the conversation with " + dialer.server().url() + " is over");
        if (current != null) {
            current.reply.complete(over);
        }
        waiting.forEach(pending -> pending.reply.complete(over));
        waiting.clear();
    }

    /** A request until it is answered. */
    private final class Pending implements ResponseListener {
        private final ApiRequest apiRequest;
        private final CompletableFuture<Reply> reply;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private int status;
        /** The header, or empty. */
        private String after = "";

        private long begun;
        private boolean again = true;

        private Pending(ApiRequest apiRequest, CompletableFuture<Reply> reply) {
            this.apiRequest = apiRequest;
            this.reply = reply;
        }

        private void done(Reply what) {
            reply.complete(what);
            if (current == this) {
                current = null;
                next();
            }
        }

        @Override
        public void head(int code, String contentType, String retryAfter) {
            status = code;
            after = retryAfter;
            begun = platform().nanoTime();
            body.reset();
        }

        @Override
        public void bytes(ByteBuf piece) {
            if (body.size() + piece.readableBytes() > LARGEST_ANSWER) {
                giveUp("is larger than " + LARGEST_ANSWER + " bytes");
                return;
            }
            if (platform().nanoTime() - begun > whole.toNanos()) {
                // Others wait for it.
                giveUp("has not ended within " + whole.toSeconds() + " s");
                return;
            }
            byte[] bytes = new byte[piece.readableBytes()];
            piece.getBytes(piece.readerIndex(), bytes);
            body.writeBytes(bytes);
        }

        private void giveUp(String why) {
            connection.close();
            done(new Reply.Failed("the answer of " + dialer.serverName() + " to " + apiRequest.method() + " "
                    + apiRequest.target() + " " + why));
        }

        @Override
        public void end() {
            try {
                answered();
            } catch (RuntimeException e) {
                done(new Reply.Failed("the answer of " + dialer.serverName() + " cannot be read: " + e));
            }
        }

        private void answered() {
            if (status == UNAUTHORIZED) {
                connection.refused();
                if (again) {
                    again = false;
                    connection.send(apiRequest, this);
                    return;
                }
            }
            boolean good = status >= 200 && status < 300;
            done(good ? new Reply.Done(status, body.toString(StandardCharsets.UTF_8)) : new Reply.Refused(apiStatus()));
        }

        private ApiStatus apiStatus() {
            ApiStatus answer = WireFormat.JSON.status(status, body.toByteArray());
            // A busy server says it in the header alone, in front of a text that is no status.
            return answer.retryingAfter(ResponseReader.retryAfter(answer, after));
        }

        @Override
        public void failed(boolean begun, String why) {
            done(new Reply.Failed(why));
        }
    }
}
