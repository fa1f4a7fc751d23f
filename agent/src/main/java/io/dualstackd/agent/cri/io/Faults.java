package io.dualstackd.agent.cri.io;

import io.dualstackd.agent.cri.Answer;
import io.dualstackd.agent.cri.Patience;
import io.dualstackd.agent.cri.RuntimeEndpoint;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Puts what gRPC says of a failed call into one sentence and one kind. */
record Faults(RuntimeEndpoint endpoint, Patience patience) {
    /** {@code S_IFMT} and {@code S_IFSOCK} of stat(2). */
    private static final int TYPE_OF_FILE = 0xf000;

    private static final int SOCKET = 0xc000;

    <T> Answer.Failure<T> of(String call, Status status) {
        return switch (status.getCode()) {
            case NOT_FOUND -> new Answer.NotFound<>(said(status));
            case UNIMPLEMENTED -> new Answer.Unimplemented<>();
            case UNAVAILABLE -> unavailable(call, status);
            case DEADLINE_EXCEEDED ->
                new Answer.Unreachable<>(endpoint + " did not answer " + call + " within "
                        + patience.call().toMillis() + " ms");
            case OK,
                    CANCELLED,
                    UNKNOWN,
                    INVALID_ARGUMENT,
                    ALREADY_EXISTS,
                    PERMISSION_DENIED,
                    RESOURCE_EXHAUSTED,
                    FAILED_PRECONDITION,
                    ABORTED,
                    OUT_OF_RANGE,
                    INTERNAL,
                    DATA_LOSS,
                    UNAUTHENTICATED ->
                new Answer.Broken<>(endpoint + " failed in " + call + ": " + status.getCode() + " " + said(status));
        };
    }

    private <T> Answer.Failure<T> unavailable(String call, Status status) {
        if (caused(status.getCause(), Http2Exception.class) != null) {
            return new Answer.Broken<>(
                    endpoint + " does not speak the runtime interface, asked for " + call + ": " + said(status));
        }
        String socket = socketProblem();
        if (!socket.isEmpty()) {
            return new Answer.Unreachable<>(endpoint + " " + socket);
        }
        IOException io = caused(status.getCause(), IOException.class);
        return new Answer.Unreachable<>(
                endpoint + " cannot be reached: " + (io == null ? said(status) : innermost(io)));
    }

    /** What is wrong with the socket itself, or empty text. */
    private String socketProblem() {
        try {
            Object mode = Files.getAttribute(Path.of(endpoint.path()), "unix:mode");
            return mode instanceof Integer bits && (bits & TYPE_OF_FILE) != SOCKET ? "is not a socket" : "";
        } catch (NoSuchFileException e) {
            return Files.isSymbolicLink(Path.of(endpoint.path()))
                            && !Files.exists(Path.of(endpoint.path()), LinkOption.NOFOLLOW_LINKS)
                    ? "leads nowhere"
                    : "does not exist";
        } catch (IOException e) {
            // Then connecting says why, too.
            return "";
        }
    }

    private static <E extends Throwable> @Nullable E caused(@Nullable Throwable from, Class<E> type) {
        for (Throwable at = from; at != null; at = at.getCause()) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
        }
        return null;
    }

    private static String innermost(Throwable from) {
        Throwable at = from;
        for (Throwable next = at.getCause(); next != null; next = next.getCause()) {
            at = next;
        }
        return String.valueOf(at.getMessage());
    }

    /** In one line, and not longer than a line. */
    private static String said(Status status) {
        String text = status.getDescription() == null ? "(no text)" : status.getDescription();
        String line = text.lines().findFirst().orElse("").strip();
        return line.length() > 300 ? line.substring(0, 300) + "…" : line;
    }
}
