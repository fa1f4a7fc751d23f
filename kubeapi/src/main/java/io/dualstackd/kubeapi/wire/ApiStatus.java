package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.JsonTree;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.wire.raw.FieldReader;
import io.dualstackd.kubeapi.wire.raw.JsonReader;
import io.dualstackd.kubeapi.wire.raw.Message;
import io.dualstackd.kubeapi.wire.raw.NamePool;
import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The reason why the API server refused a request: {@code v1/Status}.
 *
 * @param code HTTP status code: 410 when a resource version or a continue token has expired
 * @param reason {@code Expired}, {@code Forbidden} …; may be empty
 * @param message for people; may be empty
 * @param retryAfterSeconds {@code details.retryAfterSeconds}, when more than 0
 * @param causes {@code details.causes[].reason}: {@code NamespaceTerminating} …
 */
public record ApiStatus(int code, String reason, String message, OptionalInt retryAfterSeconds, List<String> causes) {
    private static final Message STATUS =
            Message.of("Status", "text message = 3, text reason = 4, message details = 5, number code = 6");
    private static final Message DETAILS =
            Message.of("StatusDetails", "messages causes = 4, number retryAfterSeconds = 5");
    private static final Message CAUSE = Message.of("StatusCause", "text reason = 1");

    public ApiStatus {
        causes = List.copyOf(causes);
    }

    /** A status without causes. */
    public ApiStatus(int code, String reason, String message, OptionalInt retryAfterSeconds) {
        this(code, reason, message, retryAfterSeconds, List.of());
    }

    /** A status without a body. */
    public static ApiStatus of(int code) {
        return new ApiStatus(code, "", "", OptionalInt.empty());
    }

    /** Reads a whole response; empty when it is not a status. */
    static Optional<ApiStatus> inProtobuf(byte[] body) {
        ProtoReader in = new ProtoReader(new NamePool());
        try {
            Envelope envelope = Envelope.open(body, 0, body.length, in, 0);
            return envelope.kind().equals("Status")
                    ? Optional.of(read(in.over(body, envelope.start(), envelope.length())))
                    : Optional.empty();
        } catch (IOException | WireException e) {
            return Optional.empty();
        }
    }

    /** Reads a whole response; empty when it is not a status. */
    static Optional<ApiStatus> inJson(byte[] body) {
        Optional<Field> object = JsonTree.read(body)
                .map(tree -> new Field(tree, "", new ProblemCollector("", 0)))
                .filter(field -> field.textOrEmpty("kind").equals("Status"));
        try {
            return object.isPresent()
                    ? Optional.of(read(new JsonReader(object.get(), new NamePool())))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static ApiStatus read(FieldReader in) throws IOException {
        int code = 0;
        String reason = "";
        String message = "";
        int retry = 0;
        List<String> causes = new ArrayList<>();
        in.enter(STATUS);
        while (in.next()) {
            switch (in.field()) {
                case "message" -> message = in.text();
                case "reason" -> reason = in.text();
                case "code" -> code = in.number();
                default -> {
                    in.enter(DETAILS);
                    while (in.next()) {
                        switch (in.field()) {
                            case "causes" -> cause(in, causes);
                            default -> retry = in.number();
                        }
                    }
                }
            }
        }
        return new ApiStatus(code, reason, message, retry > 0 ? OptionalInt.of(retry) : OptionalInt.empty(), causes);
    }

    private static void cause(FieldReader in, List<String> to) throws IOException {
        in.enter(CAUSE);
        while (in.next()) {
            to.add(in.text());
        }
    }

    /** The same with this code, when it has none. */
    ApiStatus withCode(int known) {
        return code == 0 ? new ApiStatus(known, reason, message, retryAfterSeconds, causes) : this;
    }

    /** The same with this time to wait, in whole seconds; none when it is less than one. */
    public ApiStatus retryingAfter(Duration wait) {
        OptionalInt seconds = wait.toSeconds() > 0 ? OptionalInt.of((int) wait.toSeconds()) : OptionalInt.empty();
        return new ApiStatus(code, reason, message, seconds, causes);
    }
}
