package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.supervision.Backoff;
import java.time.Duration;
import java.util.Optional;

/**
 * The state of listing and watching one {@link Resource}: what to request now. A list first, as a stream or, when the server does not
 * support it, in pages; then a watch from the list's end, resumed wherever it breaks; a new list when the version has expired on the
 * server.
 *
 * @param listWatchRequest the request that is made now, or after the wait
 * @param format requested encoding of responses
 * @param streaming the server may support streamed lists
 * @param failures in a row
 * @param complete a list has been read to its end at least once, by this process or by the former one
 * @param absent the server does not have this resource, or does not allow reading it
 * @param wide the server does not support the fields of the selector, so all objects are requested
 */
public record ReflectorState(
        ListWatchRequest listWatchRequest,
        WireFormat format,
        boolean streaming,
        int failures,
        boolean complete,
        boolean absent,
        boolean wide) {
    /** Wait before a missing resource is requested again: the next version of the server may have it. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(5);

    private static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(5);

    /** Number of attempts before something else is tried. */
    private static final int STUBBORN = 3;

    /** Number of silent watches in a row that is taken as a fault. */
    private static final int MUTE = 2;

    /** Message of a server that has not reached the requested version yet; older servers give no other indication. */
    private static final String TOO_LARGE = "Too large resource version";

    /**
     * The time to wait after failures; up to the same time is added at random, so that a thousand nodes do not reconnect together.
     *
     * @param first after the first failure
     * @param longest after many
     */
    public record Waits(Duration first, Duration longest) {
        /** The values of client-go. */
        public static final Waits USUAL = new Waits(Duration.ofMillis(800), Duration.ofSeconds(15));
    }

    /** When to make the next request. */
    private sealed interface When {
        record Now() implements When {}

        /** At random between now and twice the first wait: a server whose versions expired refuses all nodes at once. */
        record Soon() implements When {}

        /** After a wait that grows with failures, but not before {@code atLeast}. */
        record Later(Duration atLeast) implements When {}
    }

    private record Next(ReflectorState reflectorState, When when) {
        private Transition jittered(Waits waits, double chance) {
            return switch (when) {
                case When.Now() -> new Transition(reflectorState, Duration.ZERO);
                case When.Soon() ->
                    new Transition(reflectorState, Duration.ofNanos((long)
                            (waits.first().toNanos() * 2 * chance)));
                case When.Later(Duration atLeast) -> later(waits, chance, atLeast);
            };
        }

        private Transition later(Waits waits, double chance, Duration atLeast) {
            Duration wait = new Backoff(waits.first(), waits.longest()).after(Math.max(1, reflectorState.failures));
            Duration longer = wait.plusNanos((long) (wait.toNanos() * chance));
            Duration least = atLeast.compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : atLeast;
            return new Transition(reflectorState, longer.compareTo(least) < 0 ? least : longer);
        }
    }

    /** The next state, and the pause before it. */
    public record Transition(ReflectorState reflectorState, Duration pause) {}

    public static ReflectorState start(WireFormat format) {
        return new ReflectorState(new ListWatchRequest.StreamedList(), format, true, 0, false, false, false);
    }

    /**
     * @param resource the resource being read
     * @param waits how long to wait after failures
     * @param chance 0 to 1, the random part of waits
     */
    public Transition after(WatchOutcome watchOutcome, Resource resource, Waits waits, double chance) {
        return after(watchOutcome, resource).jittered(waits, chance);
    }

    private Next after(WatchOutcome watchOutcome, Resource resource) {
        return switch (watchOutcome) {
            case WatchOutcome.Listed(String version, Optional<String> token) ->
                token.map(more -> at(new ListWatchRequest.Page(Optional.of(more), false, atLeast()))
                                .succeeded())
                        .orElseGet(() ->
                                at(new ListWatchRequest.Watch(version, true)).read())
                        .now();
            case WatchOutcome.Reached(String version) -> reached(version).read().now();
            case WatchOutcome.Restored(String version) ->
                at(new ListWatchRequest.Watch(version, true)).read().now();
            case WatchOutcome.Ended(boolean lively) -> ended(lively);
            case WatchOutcome.Cut(boolean begun, boolean lively, String ignored) -> cut(begun, lively);
            case WatchOutcome.Silent ignored -> silent();
            case WatchOutcome.WentBack ignored ->
                relisting(ListWatchRequest.Page.NEWEST).failed().soon();
            case WatchOutcome.Garbled ignored -> garbled();
            case WatchOutcome.Undecided ignored -> failed().later();
            case WatchOutcome.Refused(ApiStatus status, Duration retryAfter) -> refused(status, retryAfter, resource);
        };
    }

    /** The end of a streamed list proves as little as that of a list in pages: the watch that follows may be refused. */
    private ReflectorState reached(String version) {
        return listWatchRequest instanceof ListWatchRequest.StreamedList
                ? at(new ListWatchRequest.Watch(version, true))
                : at(new ListWatchRequest.Watch(version)).succeeded();
    }

    private Next ended(boolean lively) {
        if (!(listWatchRequest instanceof ListWatchRequest.Watch(String version, boolean ignored))) {
            // Before the initial events are complete, as by a server for which the stream is read too slowly.
            return cut(true, false);
        }
        return lively ? at(new ListWatchRequest.Watch(version)).succeeded().now() : failed().later();
    }

    private Next cut(boolean begun, boolean lively) {
        if (lively && listWatchRequest instanceof ListWatchRequest.Watch(String version, boolean ignored)) {
            // Load balancers cut connections that are idle for less than a minute; a server that is down refuses the
            // next request.
            return at(new ListWatchRequest.Watch(version)).succeeded().now();
        }
        ReflectorState reflectorState = failed();
        boolean other = begun && reflectorState.failures >= STUBBORN;
        if (other && listWatchRequest instanceof ListWatchRequest.StreamedList) {
            return reflectorState.inPages().later();
        }
        return (other ? reflectorState.withoutToken() : reflectorState).later();
    }

    /**
     * A watch was silent. The server may hang; but a server whose data was restored to before the watched version is silent, too, until it
     * reaches that version again. It would be so with each new watch, so after the second one a list decides.
     */
    private Next silent() {
        ReflectorState reflectorState = failed();
        if (listWatchRequest instanceof ListWatchRequest.Watch) {
            return (reflectorState.failures >= MUTE
                            ? reflectorState.relisting(ListWatchRequest.Page.NEWEST)
                            : reflectorState)
                    .later();
        }
        return cut(true, false);
    }

    private Next garbled() {
        ReflectorState reflectorState = failed();
        if (reflectorState.failures < STUBBORN) {
            return reflectorState.later();
        }
        // An event that cannot be read would come again and again; a list avoids it.
        ListWatchRequest list = listWatchRequest instanceof ListWatchRequest.Watch(String version, boolean ignored)
                ? firstAsk(ListWatchRequest.Page.since(version))
                : firstAsk(firstPage());
        return reflectorState.at(list).inJson().later();
    }

    private String atLeast() {
        return listWatchRequest instanceof ListWatchRequest.Page(var ignored, boolean ignored2, String version)
                ? version
                : "";
    }

    /** Whether a version is a number that is older than the one watched from. */
    public boolean isOlder(String version) {
        return watched().filter(now -> isOlder(version, now)).isPresent();
    }

    /** Whether both versions are numbers and the first one is older. */
    public static boolean isOlder(String version, String than) {
        return isNumber(version) && isNumber(than) && Long.parseLong(version) < Long.parseLong(than);
    }

    /** The version that is watched from; empty while a list is read. */
    public Optional<String> watched() {
        return listWatchRequest instanceof ListWatchRequest.Watch(String version, boolean ignored)
                ? Optional.of(version)
                : Optional.empty();
    }

    private static boolean isNumber(String version) {
        return !version.isEmpty() && version.length() <= 18 && version.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private Next refused(ApiStatus status, Duration retryAfter, Resource resource) {
        boolean first = failures == 0;
        if (listWatchRequest instanceof ListWatchRequest.Page page
                && !page.atLeast().isEmpty()
                && page.token().isEmpty()
                && (status.code() == 410 || status.message().contains(TOO_LARGE))) {
            return at(ListWatchRequest.Page.NEWEST).failed().now();
        }
        return switch (status.code()) {
            case 401 -> first ? failed().now() : failed().later();
            // Roles of servers that do not have the resource do not name it, so such servers answer 403.
            case 403, 404 -> resource.optional() && !(complete && !absent) ? missing() : failed().later();
            case 406, 415 -> format == WireFormat.PROTOBUF ? inJson().now() : failed().later();
            case 410 -> gone(first);
            case 400, 422 -> misunderstood(resource);
            case 429, 503 -> failed().later(retryAfter);
            // So says a server whose etcd cannot report its progress (before 3.4.31 and 3.5.13). A list may work; the
            // next one is tried as a stream again.
            case 500 ->
                listWatchRequest instanceof ListWatchRequest.StreamedList
                        ? at(firstPage()).failed().now()
                        : stubborn().later(retryAfter);
            default -> stubborn().later(retryAfter);
        };
    }

    /** First streaming is given up, then the selector: no server supports streams but not the selector. */
    private Next misunderstood(Resource resource) {
        if (listWatchRequest instanceof ListWatchRequest.StreamedList) {
            return inPages().now();
        }
        if (hasToken()) {
            return withoutToken().failed().now();
        }
        if (listWatchRequest instanceof ListWatchRequest.Page && resource.narrowing() && !wide) {
            return new ReflectorState(listWatchRequest, format, streaming, failures, complete, absent, true).now();
        }
        return stubborn().later();
    }

    /** The resource that is requested: the resource itself, or a superset of what is needed. */
    public Resource requested(Resource resource) {
        return wide ? resource.wide() : resource;
    }

    private Next gone(boolean first) {
        return switch (listWatchRequest) {
            // A server that restarts has an empty watch cache. It answers, so earlier failures are no reason to wait
            // long; but where versions expire right after a list, immediate lists would never end.
            case ListWatchRequest.Watch(String ignored, boolean listed) ->
                listed && !first
                        ? relisting(ListWatchRequest.Page.NEWEST).failed().later()
                        : relisting(ListWatchRequest.Page.NEWEST)
                                .succeeded()
                                .failed()
                                .soon();
            case ListWatchRequest.Page(Optional<String> token, boolean ignored, String ignored2)
            when token.isPresent() -> withoutToken().failed().now();
            case ListWatchRequest.Page _, ListWatchRequest.StreamedList _ -> failed().later();
        };
    }

    /** Drops a version, or the token of a list, from before the server's data was restored, which would be refused for ever. */
    private ReflectorState stubborn() {
        ReflectorState reflectorState = failed();
        if (reflectorState.failures < STUBBORN) {
            return reflectorState;
        }
        return listWatchRequest instanceof ListWatchRequest.Watch
                ? reflectorState.relisting(ListWatchRequest.Page.NEWEST)
                : reflectorState.withoutToken();
    }

    private boolean hasToken() {
        return listWatchRequest instanceof ListWatchRequest.Page page
                && page.token().isPresent();
    }

    /** Instead of the next page, the whole list. */
    private ReflectorState withoutToken() {
        return hasToken() ? at(new ListWatchRequest.Page(Optional.empty(), true, atLeast())) : this;
    }

    private Next missing() {
        return new Next(
                new ReflectorState(firstAsk(ListWatchRequest.Page.FIRST), format, streaming, 0, true, true, wide),
                new When.Later(LOOK_AGAIN));
    }

    private ListWatchRequest firstAsk(ListWatchRequest.Page page) {
        return streaming ? new ListWatchRequest.StreamedList() : page;
    }

    /** @param page what to request from a server without streams */
    private ReflectorState relisting(ListWatchRequest.Page page) {
        return at(firstAsk(page));
    }

    /** The first page of a list. What was read before may be newer than the server's cache. */
    private ListWatchRequest.Page firstPage() {
        return complete ? ListWatchRequest.Page.NEWEST : ListWatchRequest.Page.FIRST;
    }

    private ReflectorState inPages() {
        return new ReflectorState(firstPage(), format, false, failures, complete, absent, wide);
    }

    private ReflectorState at(ListWatchRequest next) {
        return new ReflectorState(next, format, streaming, failures, complete, absent, wide);
    }

    private ReflectorState inJson() {
        return new ReflectorState(listWatchRequest, WireFormat.JSON, streaming, failures, complete, absent, wide);
    }

    private ReflectorState failures(int count) {
        return new ReflectorState(listWatchRequest, format, streaming, count, complete, absent, wide);
    }

    /** The state after a list, or one in which a former process has read a list: what is read from now on must not be older. */
    public ReflectorState read() {
        return new ReflectorState(listWatchRequest, format, streaming, failures, true, false, wide);
    }

    private ReflectorState succeeded() {
        return failures(0);
    }

    private ReflectorState failed() {
        return failures(Math.min(failures + 1, 1000));
    }

    private Next now() {
        return new Next(this, new When.Now());
    }

    private Next soon() {
        return new Next(this, new When.Soon());
    }

    private Next later() {
        return later(Duration.ZERO);
    }

    private Next later(Duration atLeast) {
        return new Next(this, new When.Later(atLeast));
    }
}
