package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireDecoder;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.kubeapi.wire.WireListener;
import io.dualstackd.kubeapi.wire.raw.WireException;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one response for a resource: decodes objects as pieces arrive, and a status from an error. */
final class ResponseReader implements ResponseListener {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    private static final int OK = 200;

    /** Maximum length of an error's text. */
    private static final int LONGEST_ERROR = 64 << 10;

    /** Receives the progress of the response, in addition to its content. */
    interface End extends WireListener {
        /** The server accepted the request. */
        void accepted();

        /** All objects that could be read for the moment have been delivered. */
        void pause();

        /** All objects have been delivered. */
        void end();

        /** This is not a response of the requested form; nothing more is delivered. */
        void garbled(String why);

        /** The server refused the request. */
        void refused(ApiStatus status, Duration retryAfter);

        /** The connection broke. */
        void failed(boolean begun, String why);

        /** No more bytes arrived, for longer than a server is ever silent. */
        void silent(String why);
    }

    private final ObjectKey.Kind kind;
    private final boolean watch;
    private final End to;
    private final ByteArrayOutputStream error = new ByteArrayOutputStream(0);
    private Optional<WireDecoder> decoder = Optional.empty();
    private Optional<WireFormat> format = Optional.empty();
    private int status;
    private String retryAfter = "";
    private boolean over;

    ResponseReader(ObjectKey.Kind kind, boolean watch, End to) {
        this.kind = kind;
        this.watch = watch;
        this.to = to;
    }

    @Override
    public void head(int code, String contentType, String after) {
        status = code;
        retryAfter = after;
        format = WireFormat.of(contentType);
        if (code != OK) {
            return;
        }
        if (format.isEmpty()) {
            garbled("its type is \"" + contentType + "\", neither protobuf nor JSON");
            return;
        }
        decoder = format.map(as -> watch ? as.watch(kind, to) : as.list(kind, to));
        to.accepted();
    }

    @Override
    public void bytes(ByteBuf piece) {
        if (over) {
            return;
        }
        if (decoder.isEmpty()) {
            byte[] text = new byte[Math.min(piece.readableBytes(), LONGEST_ERROR - error.size())];
            piece.getBytes(piece.readerIndex(), text);
            error.writeBytes(text);
            return;
        }
        try {
            for (ByteBuffer buffer : piece.nioBuffers()) {
                decoder.get().feed(buffer);
            }
        } catch (WireException e) {
            garbled(e.getMessage());
        } catch (RuntimeException e) {
            // A bug in this daemon with one object must not prevent reading all others: a list, or the other
            // encoding, may avoid it.
            LOG.error("an answer about {} cannot be read", kind, e);
            garbled(e.toString());
        }
    }

    private void garbled(@Nullable String why) {
        over = true;
        to.garbled(why == null ? "without a reason" : why);
    }

    @Override
    public void pause() {
        if (!over && decoder.isPresent()) {
            to.pause();
        }
    }

    @Override
    public void end() {
        if (over) {
            return;
        }
        if (decoder.isEmpty()) {
            over = true;
            ApiStatus apiStatus =
                    format.map(as -> as.status(status, error.toByteArray())).orElseGet(() -> ApiStatus.of(status));
            to.refused(apiStatus, retryAfter(apiStatus, retryAfter));
            return;
        }
        try {
            decoder.get().end();
        } catch (WireException e) {
            over = true;
            if (watch) {
                // Cut in the middle of an event by an intermediary that closed the connection regularly.
                to.failed(true, "the watch ended in the middle of an event");
            } else {
                to.garbled(String.valueOf(e.getMessage()));
            }
            return;
        }
        over = true;
        to.end();
    }

    @Override
    public void failed(boolean begun, String why) {
        if (!over) {
            over = true;
            to.failed(begun, why);
        }
    }

    @Override
    public void silent(boolean begun, String why) {
        if (over) {
            return;
        }
        over = true;
        if (begun) {
            to.silent(why);
        } else {
            to.failed(false, why);
        }
    }

    /** The longer of the delays in header and body; zero when there is neither. */
    static Duration retryAfter(ApiStatus status, String header) {
        long seconds = status.retryAfterSeconds().orElse(0);
        if (!header.isEmpty() && header.length() < 7 && header.chars().allMatch(c -> c >= '0' && c <= '9')) {
            seconds = Math.max(seconds, Long.parseLong(header));
        }
        return Duration.ofSeconds(seconds);
    }
}
