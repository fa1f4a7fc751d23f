package io.dualstackd.agent.cluster;

import io.dualstackd.agent.cluster.wire.ApiStatus;
import io.dualstackd.agent.line.Backoff;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the reading of one {@link Resource} stands: what to ask now. A list first, as a stream or, when the server has no such thing, in
 * pages; then a watch from the list's end, resumed wherever it breaks; a new list when the server has forgotten how to resume.
 *
 * @param ask the question that is asked now, or after the wait
 * @param format how answers shall be written
 * @param streaming the server may know streamed lists
 * @param failures in a row
 * @param complete a list has been read to its end, ever
 * @param absent the server does not have this resource, or does not show it to us
 * @param wide the server does not know the fields of the selector, so it is asked for everything
 */
public record Course(
        Ask ask, WireFormat format, boolean streaming, int failures, boolean complete, boolean absent, boolean wide) {
    /** A resource the server does not have may come with its next version. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(5);

    private static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(5);

    /** So often something is tried before something else is. */
    private static final int STUBBORN = 3;

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

    /** @param atLeast before the next question; negative: ask at once */
    private record Next(Course course, Duration atLeast) {
        private Turn jittered(Waits waits, double chance) {
            if (atLeast.isNegative()) {
                return new Turn(course, Duration.ZERO);
            }
            Duration wait = new Backoff(waits.first(), waits.longest()).after(Math.max(1, course.failures));
            Duration longer = wait.plusNanos((long) (wait.toNanos() * chance));
            Duration least = atLeast.compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : atLeast;
            return new Turn(course, longer.compareTo(least) < 0 ? least : longer);
        }
    }

    /** What comes next, and how long before. */
    public record Turn(Course course, Duration pause) {}

    public static Course start(WireFormat format) {
        return new Course(new Ask.StreamedList(), format, true, 0, false, false, false);
    }

    /**
     * @param resource what is being read
     * @param waits how long to wait after failures
     * @param chance 0 to 1, for the length of waits
     */
    public Turn after(Heard heard, Resource resource, Waits waits, double chance) {
        return after(heard, resource).jittered(waits, chance);
    }

    private Next after(Heard heard, Resource resource) {
        return switch (heard) {
            case Heard.Listed(String version, Optional<String> token) ->
                token.map(more -> at(new Ask.Page(Optional.of(more), false)).succeeded())
                        .orElseGet(() -> at(new Ask.Watch(version, true)).read())
                        .now();
            case Heard.Reached(String version) ->
                at(new Ask.Watch(version)).read().succeeded().now();
            case Heard.Ended(boolean lively) -> ended(lively);
            case Heard.Cut(boolean begun, boolean lively, String ignored) -> cut(begun, lively);
            case Heard.Garbled ignored -> garbled();
            case Heard.Undecided ignored -> failed().later();
            case Heard.Refused(ApiStatus status, Duration retryAfter) -> refused(status, retryAfter, resource);
        };
    }

    /** The beginning of a list: what is told from now on is everything there is. */
    public boolean isListing() {
        return !(ask instanceof Ask.Watch);
    }

    private Next ended(boolean lively) {
        // A stream of first events has no end in order before they are complete.
        if (ask instanceof Ask.Watch(String version, boolean ignored) && lively) {
            return at(new Ask.Watch(version)).succeeded().now();
        }
        return failed().later();
    }

    private Next cut(boolean begun, boolean lively) {
        Course course = lively && ask instanceof Ask.Watch(String version, boolean ignored)
                ? at(new Ask.Watch(version)).succeeded().failed()
                : failed();
        boolean pages = begun && ask instanceof Ask.StreamedList && course.failures >= STUBBORN;
        return (pages ? course.inPages() : course).later();
    }

    private Next garbled() {
        Course course = failed();
        // An event that cannot be read would come again and again; a list goes around it.
        return (course.failures >= STUBBORN
                        ? new Course(
                                course.firstAsk(), WireFormat.JSON, streaming, course.failures, complete, absent, wide)
                        : course)
                .later();
    }

    private Next refused(ApiStatus status, Duration retryAfter, Resource resource) {
        boolean first = failures == 0;
        return switch (status.code()) {
            case 401 -> first ? failed().now() : failed().later();
            // Roles of servers from before it do not name it, so they forbid what is not there.
            case 403, 404 -> resource.optional() && !(complete && !absent) ? missing() : failed().later();
            case 406, 415 ->
                format == WireFormat.PROTOBUF
                        ? new Course(ask, WireFormat.JSON, streaming, failures, complete, absent, wide).now()
                        : failed().later();
            case 410 -> gone(first);
            case 400, 422 -> misunderstood(resource);
            case 429, 503 -> failed().later(retryAfter);
            default -> stubborn().later(retryAfter);
        };
    }

    /** First the stream is given up, then the selector: a server that knows streams but not the selector has never been made. */
    private Next misunderstood(Resource resource) {
        if (ask instanceof Ask.StreamedList) {
            return inPages().now();
        }
        if (ask instanceof Ask.Page && resource.narrowing() && !wide) {
            return new Course(ask, format, streaming, failures, complete, absent, true).now();
        }
        return stubborn().later();
    }

    /** What is asked for: the resource, or more of it than we want. */
    public Resource asked(Resource resource) {
        return wide ? resource.wide() : resource;
    }

    private Next gone(boolean first) {
        return switch (ask) {
            // A server that was away comes back with a cache that begins anew. It answers, so what failed before is no
            // reason to wait; but
            // where it forgets what it has just listed, lists at once would never end.
            case Ask.Watch(String ignored, boolean listed) ->
                listed && !first
                        ? relisting().failed().later()
                        : relisting().succeeded().failed().now();
            case Ask.Page(Optional<String> token, boolean ignored)
            when token.isPresent() ->
                at(new Ask.Page(Optional.empty(), true)).failed().now();
            case Ask.Page ignored -> failed().later();
            case Ask.StreamedList ignored -> failed().later();
        };
    }

    /** A version from before the server's data was put back would be refused for ever. */
    private Course stubborn() {
        Course course = failed();
        return ask instanceof Ask.Watch && course.failures >= STUBBORN ? course.relisting() : course;
    }

    private Next missing() {
        return new Next(new Course(firstAsk(), format, streaming, 0, true, true, wide), LOOK_AGAIN);
    }

    private Ask firstAsk() {
        return streaming ? new Ask.StreamedList() : Ask.Page.FIRST;
    }

    private Course relisting() {
        return at(firstAsk());
    }

    private Course inPages() {
        return new Course(Ask.Page.FIRST, format, false, failures, complete, absent, wide);
    }

    private Course at(Ask next) {
        return new Course(next, format, streaming, failures, complete, absent, wide);
    }

    private Course read() {
        return new Course(ask, format, streaming, failures, true, false, wide);
    }

    private Course succeeded() {
        return failures == 0 ? this : new Course(ask, format, streaming, 0, complete, absent, wide);
    }

    private Course failed() {
        return new Course(ask, format, streaming, Math.min(failures + 1, 1000), complete, absent, wide);
    }

    private Next now() {
        return new Next(this, Duration.ofSeconds(-1));
    }

    private Next later() {
        return later(Duration.ZERO);
    }

    private Next later(Duration atLeast) {
        return new Next(this, atLeast);
    }
}
