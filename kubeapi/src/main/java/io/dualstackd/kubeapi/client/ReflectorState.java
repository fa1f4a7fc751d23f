package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.supervision.Backoff;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the reading of one {@link Resource} stands: what to ask now. A list first, as a stream or, when the server has no such thing, in
 * pages; then a watch from the list's end, resumed wherever it breaks; a new list when the server has forgotten how to resume.
 *
 * @param listWatchRequest the question that is asked now, or after the wait
 * @param format how answers shall be written
 * @param streaming the server may know streamed lists
 * @param failures in a row
 * @param complete a list has been read to its end, ever
 * @param absent the server does not have this resource, or does not show it to us
 * @param wide the server does not know the fields of the selector, so it is asked for everything
 */
public record ReflectorState(
        ListWatchRequest listWatchRequest,
        WireFormat format,
        boolean streaming,
        int failures,
        boolean complete,
        boolean absent,
        boolean wide) {
    /** A resource the server does not have may come with its next version. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(5);

    private static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(5);

    /** So often something is tried before something else is. */
    private static final int STUBBORN = 3;

    /** So many silent watches in a row are no accident. */
    private static final int MUTE = 2;

    /** How a server says that it has not come as far as the version that is asked for; older ones have no other word for it. */
    private static final String TOO_LARGE = "Too large resource version";

    /**
     * How long to wait after failures; chance adds up to the same again, so that a thousand nodes do not knock together.
     *
     * @param first after the first failure
     * @param longest after many
     */
    public record Waits(Duration first, Duration longest) {
        /** client-go's. */
        public static final Waits USUAL = new Waits(Duration.ofMillis(800), Duration.ofSeconds(15));
    }

    /** When the next question comes. */
    private sealed interface When {
        record Now() implements When {}

        /** By chance between now and twice the first wait: a server that has forgotten tells it to every node at once. */
        record Soon() implements When {}

        /** After a wait that grows with failures, and not before so long. */
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

    /** What comes next, and how long before. */
    public record Transition(ReflectorState reflectorState, Duration pause) {}

    public static ReflectorState start(WireFormat format) {
        return new ReflectorState(new ListWatchRequest.StreamedList(), format, true, 0, false, false, false);
    }

    /**
     * @param resource what is being read
     * @param waits how long to wait after failures
     * @param chance 0 to 1, for the length of waits
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
            case WatchOutcome.Reached(String version) ->
                at(new ListWatchRequest.Watch(version)).read().succeeded().now();
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

    /** The beginning of a list: what is told from now on is everything there is. */
    public boolean isListing() {
        return !(listWatchRequest instanceof ListWatchRequest.Watch);
    }

    private Next ended(boolean lively) {
        // A stream of first events has no end in order before they are complete.
        if (listWatchRequest instanceof ListWatchRequest.Watch(String version, boolean ignored) && lively) {
            return at(new ListWatchRequest.Watch(version)).succeeded().now();
        }
        return failed().later();
    }

    private Next cut(boolean begun, boolean lively) {
        ReflectorState reflectorState =
                lively && listWatchRequest instanceof ListWatchRequest.Watch(String version, boolean ignored)
                        ? at(new ListWatchRequest.Watch(version)).succeeded().failed()
                        : failed();
        boolean pages = begun
                && listWatchRequest instanceof ListWatchRequest.StreamedList
                && reflectorState.failures >= STUBBORN;
        return (pages ? reflectorState.inPages() : reflectorState).later();
    }

    /**
     * The server may have hung; but one whose data was put back to before our version says nothing either, until it has come that far again.
     * It would do so with each new watch, so after the second one a list must show.
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
        // An event that cannot be read would come again and again; a list goes around it.
        ListWatchRequest list = listWatchRequest instanceof ListWatchRequest.Watch(String version, boolean ignored)
                ? firstAsk(ListWatchRequest.Page.since(version))
                : firstAsk(firstPage());
        return new ReflectorState(list, WireFormat.JSON, streaming, reflectorState.failures, complete, absent, wide)
                .later();
    }

    private String atLeast() {
        return listWatchRequest instanceof ListWatchRequest.Page(var ignored, boolean ignored2, String version)
                ? version
                : "";
    }

    /** What a version as a number can be compared with: an older one than where this watch is. */
    public boolean isOlder(String version) {
        return listWatchRequest instanceof ListWatchRequest.Watch(String now, boolean ignored)
                && isNumber(version)
                && isNumber(now)
                && Long.parseLong(version) < Long.parseLong(now);
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
            // Roles of servers from before it do not name it, so they forbid what is not there.
            case 403, 404 -> resource.optional() && !(complete && !absent) ? missing() : failed().later();
            case 406, 415 ->
                format == WireFormat.PROTOBUF
                        ? new ReflectorState(
                                        listWatchRequest, WireFormat.JSON, streaming, failures, complete, absent, wide)
                                .now()
                        : failed().later();
            case 410 -> gone(first);
            case 400, 422 -> misunderstood(resource);
            case 429, 503 -> failed().later(retryAfter);
            default -> stubborn().later(retryAfter);
        };
    }

    /** First the stream is given up, then the selector: a server that knows streams but not the selector has never been made. */
    private Next misunderstood(Resource resource) {
        if (listWatchRequest instanceof ListWatchRequest.StreamedList) {
            return inPages().now();
        }
        if (listWatchRequest instanceof ListWatchRequest.Page && resource.narrowing() && !wide) {
            return new ReflectorState(listWatchRequest, format, streaming, failures, complete, absent, true).now();
        }
        return stubborn().later();
    }

    /** What is asked for: the resource, or more of it than we want. */
    public Resource asked(Resource resource) {
        return wide ? resource.wide() : resource;
    }

    private Next gone(boolean first) {
        return switch (listWatchRequest) {
            // A server that was away comes back with a cache that begins anew. It answers, so what failed before is no
            // reason to wait long; but
            // where it forgets what it has just listed, lists at once would never end.
            case ListWatchRequest.Watch(String ignored, boolean listed) ->
                listed && !first
                        ? relisting(ListWatchRequest.Page.NEWEST).failed().later()
                        : relisting(ListWatchRequest.Page.NEWEST)
                                .succeeded()
                                .failed()
                                .soon();
            case ListWatchRequest.Page(Optional<String> token, boolean ignored, String atLeast)
            when token.isPresent() ->
                at(new ListWatchRequest.Page(Optional.empty(), true, atLeast))
                        .failed()
                        .now();
            case ListWatchRequest.Page ignored -> failed().later();
            case ListWatchRequest.StreamedList ignored -> failed().later();
        };
    }

    /** A version from before the server's data was put back would be refused for ever. */
    private ReflectorState stubborn() {
        ReflectorState reflectorState = failed();
        return listWatchRequest instanceof ListWatchRequest.Watch && reflectorState.failures >= STUBBORN
                ? reflectorState.relisting(ListWatchRequest.Page.NEWEST)
                : reflectorState;
    }

    private Next missing() {
        return new Next(
                new ReflectorState(firstAsk(ListWatchRequest.Page.FIRST), format, streaming, 0, true, true, wide),
                new When.Later(LOOK_AGAIN));
    }

    private ListWatchRequest firstAsk(ListWatchRequest.Page page) {
        return streaming ? new ListWatchRequest.StreamedList() : page;
    }

    /** @param page what to ask a server without streams */
    private ReflectorState relisting(ListWatchRequest.Page page) {
        return at(firstAsk(page));
    }

    /** What was read before may be newer than what a server has in memory. */
    private ListWatchRequest.Page firstPage() {
        return complete ? ListWatchRequest.Page.NEWEST : ListWatchRequest.Page.FIRST;
    }

    private ReflectorState inPages() {
        return new ReflectorState(firstPage(), format, false, failures, complete, absent, wide);
    }

    private ReflectorState at(ListWatchRequest next) {
        return new ReflectorState(next, format, streaming, failures, complete, absent, wide);
    }

    private ReflectorState read() {
        return new ReflectorState(listWatchRequest, format, streaming, failures, true, false, wide);
    }

    private ReflectorState succeeded() {
        return failures == 0
                ? this
                : new ReflectorState(listWatchRequest, format, streaming, 0, complete, absent, wide);
    }

    private ReflectorState failed() {
        return new ReflectorState(
                listWatchRequest, format, streaming, Math.min(failures + 1, 1000), complete, absent, wide);
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
