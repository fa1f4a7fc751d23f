package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireFormat;
import java.util.Optional;

/**
 * Why a resource cannot be read now, in a form for people.
 *
 * @param reachable the server responds, but not as expected
 * @param what one sentence
 * @param next what to do about it
 */
public record ResourceFailure(boolean reachable, String what, String next) {

    /**
     * Returns the failure for an outcome; empty for outcomes of normal operation.
     *
     * @param format the one that was requested
     */
    public static Optional<ResourceFailure> of(
            Resource resource, ListWatchRequest listWatchRequest, WireFormat format, WatchOutcome watchOutcome) {
        return switch (watchOutcome) {
            case WatchOutcome.Listed _, WatchOutcome.Reached _, WatchOutcome.Restored _ -> Optional.empty();
            case WatchOutcome.Ended(boolean lively) ->
                lively
                        ? Optional.empty()
                        : Optional.of(new ResourceFailure(
                                true,
                                "the server ends each watch of " + resource.name() + " at once",
                                "check the server's log; retrying"));
            case WatchOutcome.Cut(boolean ignored, boolean ignored2, String why) ->
                Optional.of(new ResourceFailure(false, why, "check the server and the network to it; retrying"));
            case WatchOutcome.Silent(String why) ->
                Optional.of(new ResourceFailure(false, why, "check the server and the network to it; retrying"));
            case WatchOutcome.WentBack(String version) ->
                Optional.of(new ResourceFailure(
                        true,
                        "the server's " + resource.name() + " are older than what was read before (version " + version
                                + "): its data was restored",
                        "reading all of them again"));
            case WatchOutcome.Garbled(String why) ->
                Optional.of(new ResourceFailure(
                        true,
                        "the answer about " + resource.name() + " cannot be read: " + why,
                        "does a proxy in between change responses? retrying"));
            case WatchOutcome.Refused(ApiStatus status, var ignored) ->
                refused(resource, listWatchRequest, format, status, resource.optional());
            // All other resources are refused, too, so it does not matter that this one is optional.
            case WatchOutcome.Undecided(ApiStatus status) -> refused(resource, listWatchRequest, format, status, false);
        };
    }

    private static Optional<ResourceFailure> refused(
            Resource resource,
            ListWatchRequest listWatchRequest,
            WireFormat format,
            ApiStatus status,
            boolean optional) {
        String detail = status.message().isEmpty() ? "" : ": " + status.message();
        return switch (status.code()) {
            case 400, 422, 500 ->
                listWatchRequest instanceof ListWatchRequest.StreamedList
                        ? Optional.empty()
                        : Optional.of(other(resource, listWatchRequest, status, detail));
            case 401 ->
                Optional.of(new ResourceFailure(
                        true,
                        "the server does not accept these credentials (401)" + detail,
                        "renew the token or the client certificate; the newest is used with each attempt"));
            case 403 ->
                Optional.of(new ResourceFailure(
                        true,
                        "not allowed to " + listWatchRequest.verb() + " " + resource.name() + " (403)" + detail,
                        "allow list and watch of " + resource.name()
                                + ": bind the ClusterRole of the deployment, or system:node-proxier, to this user"));
            // One that the server never had is no failure, and not asked about here.
            case 404 ->
                Optional.of(new ResourceFailure(
                        true,
                        "the server has no " + resource.path() + " (404)" + detail,
                        optional
                                ? "has the server another version now? after a restart the daemon goes on without them; retrying"
                                : "is this a Kubernetes API server? check the server's URL"));
            // Then JSON is requested.
            case 406, 415 ->
                format == WireFormat.PROTOBUF
                        ? Optional.empty()
                        : Optional.of(other(resource, listWatchRequest, status, detail));
            case 410 ->
                canExpire(listWatchRequest)
                        ? Optional.empty()
                        : Optional.of(other(resource, listWatchRequest, status, detail));
            case 429, 503 ->
                Optional.of(new ResourceFailure(
                        true, "the server is busy (" + status.code() + ")" + detail, "waiting as long as it asks for"));
            case 502, 504 ->
                Optional.of(new ResourceFailure(
                        false,
                        "the proxy or load balancer in front of the API server cannot reach it (" + status.code() + ")"
                                + detail,
                        "check the server and its load balancer; retrying"));
            default -> Optional.of(other(resource, listWatchRequest, status, detail));
        };
    }

    /** Whether the request has a version or a token; then another one is made without. */
    private static boolean canExpire(ListWatchRequest listWatchRequest) {
        return switch (listWatchRequest) {
            case ListWatchRequest.Watch _ -> true;
            case ListWatchRequest.Page page ->
                page.token().isPresent() || !page.atLeast().isEmpty();
            case ListWatchRequest.StreamedList _ -> false;
        };
    }

    private static ResourceFailure other(
            Resource resource, ListWatchRequest listWatchRequest, ApiStatus status, String detail) {
        return new ResourceFailure(
                true,
                "the server refuses to " + listWatchRequest.verb() + " " + resource.name() + " (" + status.code() + ")"
                        + detail,
                "check the server's log; retrying");
    }
}
