package io.dualstackd.admin.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * A request: a line of words, for some requests followed by a text, whose length in bytes is the last word.
 *
 * @param body empty for requests without a text
 */
record AdminRequest(String line, String body) {
    /** The maximum size of a text in bytes. */
    static final int MAX_BODY = 4 * 1024 * 1024;

    /** The requests that have a text. */
    static final String APPLY = "apply";

    static final String DELETE_TEXT = "delete-text";
    static final String REPLACE = "replace";

    /** The request that takes long, and ends when its client disconnects. */
    static final String TRACE = "trace";

    /** The maximum size of a line in bytes, with the newline at its end. */
    static final int MAX_LINE = 16 * 1024;

    private static final Duration FOR_LINE = Duration.ofSeconds(5);
    private static final Duration FOR_BODY = Duration.ofSeconds(10);

    List<String> words() {
        return Arrays.asList(line.split(" ", -1));
    }

    /**
     * Reads the line, and the text after it if there is one.
     *
     * @param bodies how many texts may be in memory at a time
     * @throws IOException when the client disconnects or is too slow
     */
    static void read(SocketChannel client, Semaphore bodies, Taker taker) throws IOException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocate(MAX_LINE);
        int end = -1;
        try (Deadline ignored = new Deadline(client, FOR_LINE)) {
            while (end < 0 && buffer.hasRemaining() && client.read(buffer) >= 0) {
                end = newline(buffer);
            }
        }
        AdminRequest adminRequest =
                new AdminRequest(end < 0 ? "" : new String(buffer.array(), 0, end, StandardCharsets.UTF_8).strip(), "");
        int length = adminRequest.length();
        if (length <= 0) {
            taker.take(adminRequest);
            return;
        }
        bodies.acquire();
        try {
            ByteBuffer body = ByteBuffer.allocate(length);
            body.put(buffer.array(), end + 1, Math.min(length, buffer.position() - end - 1));
            try (Deadline ignored = new Deadline(client, FOR_BODY)) {
                while (body.hasRemaining()) {
                    if (client.read(body) < 0) {
                        throw new EOFException("the text is shorter than announced");
                    }
                }
            }
            taker.take(new AdminRequest(adminRequest.line, new String(body.array(), StandardCharsets.UTF_8)));
        } finally {
            bodies.release();
        }
    }

    /** Receives the request while its text counts as one in memory. */
    interface Taker {
        void take(AdminRequest adminRequest) throws IOException;
    }

    /** The length in bytes of the text that follows; 0 for none, negative when it is longer than the limit. */
    private int length() {
        List<String> words = words();
        if (!List.of(APPLY, DELETE_TEXT, REPLACE).contains(words.getFirst())) {
            return 0;
        }
        try {
            int length = Integer.parseInt(words.getLast());
            return length > MAX_BODY ? -1 : length;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Whether the announced text is too long to be accepted. */
    boolean isTooLong() {
        return length() < 0;
    }

    private static int newline(ByteBuffer buffer) {
        for (int i = 0; i < buffer.position(); i++) {
            if (buffer.get(i) == '\n') {
                return i;
            }
        }
        return -1;
    }
}
