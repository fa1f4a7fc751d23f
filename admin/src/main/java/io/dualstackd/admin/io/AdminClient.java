package io.dualstackd.admin.io;

import io.dualstackd.standalone.edit.NamedText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Sends requests to a running daemon. */
public final class AdminClient {
    static final String OK = "ok";
    static final String DEGRADED = "degraded";
    static final String UNHEALTHY = "unhealthy";
    static final String ERROR = "error";

    /** The time limit for a whole answer; the slowest requests look at every rule in the kernel. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private AdminClient() {}

    /** The result of a request. */
    public sealed interface Answer {
        /**
         * A report.
         *
         * @param healthy whether nothing is wrong
         * @param degraded whether something is wrong, but traffic flows
         */
        record Report(String text, boolean healthy, boolean degraded) implements Answer {
            /** A report that is healthy, or failed rather than degraded. */
            public Report(String text, boolean healthy) {
                this(text, healthy, false);
            }
        }

        /**
         * The daemon does not know the request, or refuses it.
         *
         * @param why lines, of which those that begin with a tab are problems with their places
         */
        record Refused(String why) implements Answer {}

        /** No daemon answers on the socket. */
        record Unreachable(String why) implements Answer {}
    }

    /**
     * Sends one status request and waits for the whole answer.
     *
     * @param format {@code text} or {@code json}
     */
    public static Answer status(Path socket, String format) {
        return send(socket, "status " + format);
    }

    /** Sends one of the requests {@link AdminServer} knows. */
    public static Answer send(Path socket, String words) {
        return exchange(socket, words, new byte[0], TIMEOUT);
    }

    /** As {@link #send(Path, String)}, for a request that takes longer: {@code more} than others. */
    public static Answer send(Path socket, String words, Duration more) {
        return exchange(socket, words, new byte[0], TIMEOUT.plus(more));
    }

    /** As {@link #send(Path, String)}, with a text after the words; its length is appended to them. */
    public static Answer send(Path socket, String words, byte[] text) {
        if (text.length > AdminRequest.MAX_BODY) {
            return new Answer.Refused("the text has " + text.length + " bytes, more than " + AdminRequest.MAX_BODY
                    + " (4 MiB); split it into several");
        }
        return exchange(socket, words + " " + text.length, text, TIMEOUT);
    }

    /** As {@link #send(Path, String)}, with texts after the words. */
    public static Answer send(Path socket, String words, List<NamedText> texts) {
        return send(
                socket,
                words + " " + EditHandlers.SEVERAL,
                EditHandlers.body(texts).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sends a request whose answer comes in parts, and waits for the last one.
     *
     * @param more how much longer than others it may take
     * @param parts receives each part at once: lines, each ended by a newline
     * @return a report without text, or why there is none
     */
    public static Answer follow(Path socket, String words, Duration more, Predicate<String> parts) {
        return exchange(socket, words, new byte[0], TIMEOUT.plus(more), in -> followed(in, parts));
    }

    /** Reads parts: lines that begin with a blank, and an empty one at the end of each. What comes behind them is as any answer. */
    private static Answer followed(InputStream in, Predicate<String> parts) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        String line = lines.readLine();
        if (TraceHandler.LIVE.equals(line)) {
            StringBuilder part = new StringBuilder();
            for (line = lines.readLine();
                    line != null && (line.isEmpty() || line.startsWith(" "));
                    line = lines.readLine()) {
                if (line.isEmpty()) {
                    if (!parts.test(part.toString())) {
                        return new Answer.Report("", true);
                    }
                    part.setLength(0);
                } else {
                    part.append(line, 1, line.length()).append('\n');
                }
            }
        }
        StringBuilder rest = new StringBuilder();
        for (; line != null; line = lines.readLine()) {
            rest.append(line).append('\n');
        }
        return answer(rest.toString());
    }

    static Answer exchange(Path socket, String words, byte[] text, Duration timeout) {
        return exchange(socket, words, text, timeout, AdminClient::whole);
    }

    private static Answer whole(InputStream in) throws IOException {
        return answer(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }

    /** Reads an answer. */
    private interface Reader {
        Answer read(InputStream in) throws IOException;
    }

    private static Answer exchange(Path socket, String words, byte[] text, Duration timeout, Reader reader) {
        byte[] line = (words + "\n").getBytes(StandardCharsets.UTF_8);
        if (line.length > AdminRequest.MAX_LINE) {
            return new Answer.Refused("the request has " + (line.length - 1) + " bytes, more than "
                    + (AdminRequest.MAX_LINE - 1) + " (16 KiB); split it into several");
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Deadline ignored = new Deadline(channel, timeout)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            write(channel, line);
            write(channel, text);
            return reader.read(Channels.newInputStream(channel));
        } catch (ClosedChannelException e) {
            return new Answer.Unreachable(
                    "it listens on the socket but does not answer within " + timeout.toSeconds() + " s");
        } catch (IOException e) {
            return new Answer.Unreachable(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
    }

    private static void write(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** The answer with the size of its report behind its first word, so that a part of it is not taken for all. */
    static String measured(String answer) {
        int end = answer.indexOf('\n');
        String head = answer.substring(0, Math.max(end, 0));
        return head.equals(OK) || head.equals(DEGRADED) || head.equals(UNHEALTHY)
                ? head + " " + size(answer.substring(end + 1)) + answer.substring(end)
                : answer;
    }

    private static int size(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Reads an answer, with the size of its report or, as an older daemon sends it, without. */
    static Answer answer(String text) {
        if (text.isEmpty()) {
            return new Answer.Unreachable("it closed the connection without an answer");
        }
        int end = text.indexOf('\n');
        String first = text.substring(0, Math.max(end, 0));
        String body = text.substring(end + 1);
        int blank = first.indexOf(' ');
        String head = blank < 0 ? first : first.substring(0, blank);
        if (end < 0 || (blank > 0 && !first.substring(blank + 1).equals(Integer.toString(size(body))))) {
            return new Answer.Unreachable("it closed the connection within its answer");
        }
        return switch (head) {
            case OK -> new Answer.Report(body, true);
            case DEGRADED -> new Answer.Report(body, false, true);
            case UNHEALTHY -> new Answer.Report(body, false);
            default -> new Answer.Refused(body.stripTrailing());
        };
    }
}
