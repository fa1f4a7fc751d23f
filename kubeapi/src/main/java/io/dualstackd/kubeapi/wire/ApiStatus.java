package io.dualstackd.kubeapi.wire;

import java.util.OptionalInt;

/**
 * The reason why the API server refused a request: {@code v1/Status}.
 *
 * @param code HTTP status code: 410 when a resource version or a continue token has expired
 * @param reason {@code Expired}, {@code Forbidden} …; may be empty
 * @param message for people; may be empty
 * @param retryAfterSeconds {@code details.retryAfterSeconds}, when more than 0
 */
public record ApiStatus(int code, String reason, String message, OptionalInt retryAfterSeconds) {
    /** A status without a body. */
    public static ApiStatus of(int code) {
        return new ApiStatus(code, "", "", OptionalInt.empty());
    }

    /** The same with this code, when it has none. */
    ApiStatus withCode(int known) {
        return code == 0 ? new ApiStatus(known, reason, message, retryAfterSeconds) : this;
    }
}
