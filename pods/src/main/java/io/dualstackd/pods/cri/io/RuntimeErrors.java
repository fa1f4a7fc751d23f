package io.dualstackd.pods.cri.io;

import io.dualstackd.pods.cri.RuntimeEndpoint;
import io.dualstackd.pods.cri.RuntimeResult;
import io.dualstackd.pods.cri.RuntimeTimeouts;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Converts the error of a failed gRPC call to one sentence and one kind of failure. */
record RuntimeErrors(RuntimeEndpoint endpoint, RuntimeTimeouts runtimeTimeouts) {
    /** {@code S_IFMT} and {@code S_IFSOCK} of stat(2). */
    private static final int TYPE_OF_FILE = 0xf000;

    private static final int SOCKET = 0xc000;

    <T> RuntimeResult.Failure<T> of(String call, Status status) {
        Http2Exception garbage = caused(status.getCause(), Http2Exception.class);
        if (garbage != null) {
            return new RuntimeResult.Broken<>(endpoint + " does not speak the runtime interface, asked for " + call
                    + ": " + line(garbage.getMessage()));
        }
        return switch (status.getCode()) {
            case NOT_FOUND -> new RuntimeResult.NotFound<>(line(status.getDescription()));
            case UNIMPLEMENTED -> new RuntimeResult.Unimplemented<>();
            case UNAVAILABLE -> new RuntimeResult.Unreachable<>(endpoint + unavailable(status));
            case DEADLINE_EXCEEDED ->
                new RuntimeResult.Unreachable<>(endpoint + " did not answer " + call + " within "
                        + runtimeTimeouts.call().toMillis() + " ms");
            // The call was cancelled: by gRPC, because the answer cannot be read, by the runtime, because it ends,
            // or by dualstackd, because the caller was interrupted.
            case CANCELLED ->
                status.getCause() instanceof StatusRuntimeException unreadable
                        ? of(call, unreadable.getStatus())
                        : new RuntimeResult.Unreachable<>(
                                endpoint + " was left in " + call + ": " + line(status.getDescription()));
            case OK,
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
                new RuntimeResult.Broken<>(endpoint + " failed in " + call + ": " + status.getCode() + " "
                        + line(status.getDescription()));
        };
    }

    /** Whether the connection caused the error, and not the request. */
    static boolean ofConnection(Status status) {
        return status.getCode() == Status.Code.UNAVAILABLE || caused(status.getCause(), Http2Exception.class) != null;
    }

    private String unavailable(Status status) {
        String socket = socketProblem();
        if (!socket.isEmpty()) {
            return " " + socket;
        }
        IOException io = caused(status.getCause(), IOException.class);
        return " cannot be reached: " + line(io == null ? status.getDescription() : innermost(io));
    }

    /** Returns what is wrong with the socket itself, or empty text. */
    private String socketProblem() {
        try {
            Object mode = Files.getAttribute(Path.of(endpoint.path()), "unix:mode");
            return mode instanceof Integer bits && (bits & TYPE_OF_FILE) != SOCKET ? "is not a socket" : "";
        } catch (NoSuchFileException e) {
            return Files.isSymbolicLink(Path.of(endpoint.path())) ? "leads nowhere" : "does not exist";
        } catch (IOException e) {
            // Then the error of connecting gives the reason, too.
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

    /** Returns the text as one line of limited length. */
    private static String line(@Nullable String message) {
        String line = message == null
                ? "(no text)"
                : message.lines().findFirst().orElse("").strip();
        return line.length() > 300 ? line.substring(0, 300) + "…" : line;
    }
}
