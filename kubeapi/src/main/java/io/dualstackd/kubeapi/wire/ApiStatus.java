package io.dualstackd.kubeapi.wire;

import java.util.OptionalInt;

/**
 * Why the API server does not do what it was asked: {@code v1/Status}.
 *
 * @param code as HTTP's: 410 when a resource version or a continue token is too old
 * @param reason {@code Expired}, {@code Forbidden} …; may be empty
 * @param message for people; may be empty
 * @param retryAfterSeconds {@code details.retryAfterSeconds}, when more than 0
 */
public record ApiStatus(int code, String reason, String message, OptionalInt retryAfterSeconds) {
    /** Without a body that says more. */
    public static ApiStatus of(int code) {
        return new ApiStatus(code, "", "", OptionalInt.empty());
    }

    /** The same with a code, when it has none. */
    ApiStatus withCode(int known) {
        return code == 0 ? new ApiStatus(known, reason, message, retryAfterSeconds) : this;
    }
}
