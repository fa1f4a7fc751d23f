package io.dualstackd.pods.cri;

import java.util.function.Function;

/** The result of a request to the container runtime. */
public sealed interface RuntimeResult<T> {

    /** The runtime answered. */
    record Ok<T>(T value) implements RuntimeResult<T> {}

    /** There is no answer, for the given reason. */
    sealed interface Failure<T> extends RuntimeResult<T> {
        /** One sentence for log messages. */
        String reason();

        /** Returns the same failure for a request of another type. */
        default <R> Failure<R> of() {
            return switch (this) {
                case NotFound<T>(String reason) -> new NotFound<>(reason);
                case Unimplemented<T>() -> new Unimplemented<>();
                case Unreachable<T>(String reason) -> new Unreachable<>(reason);
                case Broken<T>(String reason) -> new Broken<>(reason);
            };
        }
    }

    /** There is no such sandbox or container (any more); gRPC's NOT_FOUND. */
    record NotFound<T>(String reason) implements Failure<T> {}

    /** This runtime does not know the call, and will not before it is replaced; gRPC's UNIMPLEMENTED. */
    record Unimplemented<T>() implements Failure<T> {
        @Override
        public String reason() {
            return "the runtime does not know this call";
        }
    }

    /**
     * No answer: no socket, no listener, a timeout, or a closed connection. The request may be repeated.
     *
     * @param reason one sentence that names the endpoint
     */
    record Unreachable<T>(String reason) implements Failure<T> {}

    /**
     * An answer that cannot be used: an error of the runtime, a message too large, or not gRPC at all.
     *
     * @param reason one sentence that names the endpoint and the call
     */
    record Broken<T>(String reason) implements Failure<T> {}

    /** Returns the same result for another value. */
    default <R> RuntimeResult<R> map(Function<? super T, ? extends R> function) {
        return switch (this) {
            case Ok<T>(T value) -> new Ok<>(function.apply(value));
            case Failure<T> failure -> failure.of();
        };
    }
}
