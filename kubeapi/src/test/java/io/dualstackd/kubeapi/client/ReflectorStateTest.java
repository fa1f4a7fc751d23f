package io.dualstackd.kubeapi.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireFormat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answer leads to which question. Milliseconds to wait are those without chance. */
final class ReflectorStateTest {
    private static final ListWatchRequest STREAM = new ListWatchRequest.StreamedList();
    private static final ListWatchRequest FIRST = new ListWatchRequest.Page(Optional.empty(), false, "0");
    private static final ListWatchRequest NEXT = new ListWatchRequest.Page(Optional.of("t"), false, "0");
    private static final ListWatchRequest NEWEST = new ListWatchRequest.Page(Optional.empty(), false, "");
    private static final ListWatchRequest WHOLE_NEWEST = new ListWatchRequest.Page(Optional.empty(), true, "");
    private static final ListWatchRequest WHOLE = new ListWatchRequest.Page(Optional.empty(), true, "0");
    private static final ListWatchRequest WATCH = new ListWatchRequest.Watch("7");
    private static final ListWatchRequest FIRST_WATCH = new ListWatchRequest.Watch("7", true);

    static Stream<Arguments> steps() {
        return Stream.of(
                arguments(
                        "the stream's first events are complete",
                        STREAM,
                        0,
                        new WatchOutcome.Reached("7"),
                        FIRST_WATCH,
                        0,
                        0),
                arguments(
                        "a page with more behind it",
                        FIRST,
                        0,
                        new WatchOutcome.Listed("7", Optional.of("t")),
                        NEXT,
                        0,
                        0),
                arguments("the last page", NEXT, 0, new WatchOutcome.Listed("7", Optional.empty()), FIRST_WATCH, 0, 0),
                arguments(
                        "a watch goes on",
                        new ListWatchRequest.Watch("5"),
                        2,
                        new WatchOutcome.Reached("7"),
                        WATCH,
                        0,
                        0),
                arguments("objects of a former process", STREAM, 0, new WatchOutcome.Restored("7"), FIRST_WATCH, 0, 0),
                arguments("a watch's time is over", WATCH, 0, new WatchOutcome.Ended(true), WATCH, 0, 0),
                arguments("a watch ends before it began", WATCH, 0, new WatchOutcome.Ended(false), WATCH, 1, 800),
                arguments("a stream ends too early", STREAM, 0, new WatchOutcome.Ended(true), STREAM, 1, 800),
                arguments("streams end too early again", STREAM, 1, new WatchOutcome.Ended(false), STREAM, 2, 1600),
                arguments("and again and again", STREAM, 2, new WatchOutcome.Ended(false), NEWEST, 3, 3200),
                arguments("a good watch breaks", WATCH, 4, cut(true), WATCH, 0, 0),
                arguments("server is unreachable", WATCH, 0, cut(false), WATCH, 1, 800),
                arguments("nor the third time", WATCH, 2, cut(false), WATCH, 3, 3200),
                arguments("nor after hours", WATCH, 500, cut(false), WATCH, 501, 15_000),
                arguments("a page breaks", NEXT, 0, cut(false), NEXT, 1, 800),
                arguments("a stream breaks", STREAM, 0, begun(), STREAM, 1, 800),
                arguments("streams break again and again", STREAM, 2, begun(), NEWEST, 3, 3200),
                arguments("a version is forgotten", WATCH, 0, refused(410), STREAM, 1, 0),
                arguments("expired during an outage", WATCH, 5, refused(410), STREAM, 1, 0),
                arguments("forgotten what it has just listed", FIRST_WATCH, 0, refused(410), STREAM, 1, 0),
                arguments("and again", FIRST_WATCH, 1, refused(410), STREAM, 2, 1600),
                arguments("a watch after a list lasted a while", FIRST_WATCH, 0, cut(true), WATCH, 0, 0),
                arguments("and ended in order", FIRST_WATCH, 0, new WatchOutcome.Ended(true), WATCH, 0, 0),
                arguments("server is unreachable after a list", FIRST_WATCH, 0, cut(false), FIRST_WATCH, 1, 800),
                arguments("a watch after a list goes on", FIRST_WATCH, 0, new WatchOutcome.Reached("7"), WATCH, 0, 0),
                arguments("a streamed list ends", STREAM, 1, new WatchOutcome.Reached("7"), FIRST_WATCH, 1, 0),
                arguments("a token is forgotten", NEXT, 0, refused(410), WHOLE, 1, 0),
                arguments("a token is not understood", NEXT, 0, refused(400), WHOLE, 1, 0),
                arguments("a page is refused", NEXT, 0, refused(500), NEXT, 1, 800),
                arguments("and again and again", NEXT, 2, refused(500), WHOLE, 3, 3200),
                arguments("a page breaks in the middle again and again", NEXT, 2, begun(), WHOLE, 3, 3200),
                arguments("a list is forgotten", WHOLE_NEWEST, 1, refused(410), WHOLE_NEWEST, 2, 1600),
                arguments("not what is in memory", WHOLE, 1, refused(410), NEWEST, 2, 0),
                arguments(
                        "its memory is behind",
                        new ListWatchRequest.Page(Optional.empty(), true, "7"),
                        0,
                        behind(),
                        NEWEST,
                        1,
                        0),
                arguments("even of the newest", NEWEST, 0, behind(), NEWEST, 1, 800),
                arguments("a watch says nothing", WATCH, 0, new WatchOutcome.Silent(""), WATCH, 1, 800),
                arguments("nor does the next", WATCH, 1, new WatchOutcome.Silent(""), STREAM, 2, 1600),
                arguments("a stream stops", STREAM, 0, new WatchOutcome.Silent(""), STREAM, 1, 800),
                arguments("older than before", WATCH, 0, new WatchOutcome.WentBack("5"), STREAM, 1, 0),
                arguments("streams are forbidden", STREAM, 0, refused(422), NEWEST, 0, 0),
                arguments("streams are not understood", STREAM, 0, refused(400), NEWEST, 0, 0),
                arguments("the store cannot stream", STREAM, 0, refused(500), NEWEST, 1, 0),
                arguments("nor list", NEWEST, 1, refused(500), NEWEST, 2, 1600),
                arguments("a watch is invalid", WATCH, 2, refused(400), STREAM, 3, 3200),
                arguments("the token ran out", WATCH, 0, refused(401), WATCH, 1, 0),
                arguments("the new one is no better", WATCH, 1, refused(401), WATCH, 2, 1600),
                arguments("not allowed", STREAM, 0, refused(403), STREAM, 1, 800),
                arguments("not allowed for long", WATCH, 10, refused(403), WATCH, 11, 15_000),
                arguments("busy", STREAM, 0, refused(429), STREAM, 1, 800),
                arguments("busy, with a time", STREAM, 0, refused(429, 7), STREAM, 1, 7000),
                arguments("busy, with a short time", WATCH, 3, refused(503, 1), WATCH, 4, 6400),
                arguments("busy, with an unreasonable time", WATCH, 0, refused(503, 86_400), WATCH, 1, 300_000),
                arguments("out of order", WATCH, 0, refused(500), WATCH, 1, 800),
                arguments("out of order for this version", WATCH, 2, refused(504), STREAM, 3, 3200),
                arguments("no Services: the wrong server", STREAM, 0, refused(404), STREAM, 1, 800),
                arguments("cannot be read", WATCH, 0, new WatchOutcome.Garbled(""), WATCH, 1, 800),
                arguments("cannot be read again and again", WATCH, 2, new WatchOutcome.Garbled(""), STREAM, 3, 3200));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steps")
    void after(
            String what,
            ListWatchRequest listWatchRequest,
            int failures,
            WatchOutcome watchOutcome,
            ListWatchRequest next,
            int thenFailures,
            long millis) {
        ReflectorState.Transition transition = new ReflectorState(
                        listWatchRequest, WireFormat.PROTOBUF, true, failures, true, false, false)
                .after(watchOutcome, Resource.services(), ReflectorState.Waits.USUAL, 0);

        assertThat(transition.reflectorState().listWatchRequest()).isEqualTo(next);
        assertThat(transition.reflectorState().failures()).isEqualTo(thenFailures);
        assertThat(transition.pause()).isEqualTo(Duration.ofMillis(millis));
    }

    /** As client-go does: a thousand nodes that start, or are told to list again, together. */
    @Test
    void onlyAListAfterTheFirstMustAskEtcd() {
        ReflectorState old = ReflectorState.start(WireFormat.JSON)
                .after(refused(422), Resource.services(), ReflectorState.Waits.USUAL, 0)
                .reflectorState();
        assertThat(old.listWatchRequest().target(Resource.serviceCidrs(), 300))
                .isEqualTo("/apis/networking.k8s.io/v1/servicecidrs?limit=500&resourceVersion=0");

        ReflectorState watching = old.after(
                        new WatchOutcome.Listed("7", Optional.empty()),
                        Resource.services(),
                        ReflectorState.Waits.USUAL,
                        0)
                .reflectorState()
                .after(new WatchOutcome.Reached("7"), Resource.services(), ReflectorState.Waits.USUAL, 0)
                .reflectorState();
        ReflectorState.Transition forgotten =
                watching.after(refused(410), Resource.services(), ReflectorState.Waits.USUAL, 0);
        assertThat(forgotten.reflectorState().listWatchRequest()).isEqualTo(NEWEST);

        ReflectorState unread = watching;
        for (int i = 0; i < 3; i++) {
            unread = unread.after(new WatchOutcome.Garbled(""), Resource.services(), ReflectorState.Waits.USUAL, 0)
                    .reflectorState();
        }
        assertThat(unread.listWatchRequest().target(Resource.serviceCidrs(), 300))
                .isEqualTo("/apis/networking.k8s.io/v1/servicecidrs?resourceVersion=7");
    }

    /** The list of a server without streams must not be older than what the former process knew. */
    @Test
    void aListAfterAVersionOfAFormerProcessIsTheNewest() {
        ReflectorState restored = ReflectorState.start(WireFormat.JSON)
                .after(new WatchOutcome.Restored("7"), Resource.slices(), ReflectorState.Waits.USUAL, 0)
                .reflectorState();
        assertThat(restored.listWatchRequest()).isEqualTo(FIRST_WATCH);

        ReflectorState forgotten = restored.after(refused(410), Resource.slices(), ReflectorState.Waits.USUAL, 0)
                .reflectorState();
        assertThat(forgotten.listWatchRequest()).isEqualTo(STREAM);
        assertThat(forgotten
                        .after(refused(422), Resource.slices(), ReflectorState.Waits.USUAL, 0)
                        .reflectorState()
                        .listWatchRequest())
                .isEqualTo(NEWEST);
    }

    /** A restarted server answers this to every node at the same moment. */
    @Test
    void listsAfterAForgottenVersionAreSpread() {
        ReflectorState watching = new ReflectorState(WATCH, WireFormat.JSON, true, 0, true, false, false);

        assertThat(List.of(0.0, 0.25, 0.5))
                .extracting(
                        chance -> watching.after(refused(410), Resource.slices(), ReflectorState.Waits.USUAL, chance)
                                .pause())
                .containsExactly(Duration.ZERO, Duration.ofMillis(400), Duration.ofMillis(800));
    }

    @Test
    void versionsAreComparedAsNumbers() {
        ReflectorState watching =
                new ReflectorState(new ListWatchRequest.Watch("10"), WireFormat.JSON, true, 0, true, false, false);

        assertThat(watching.isOlder("9")).isTrue();
        assertThat(watching.isOlder("10")).isFalse();
        assertThat(watching.isOlder("11")).isFalse();
        assertThat(watching.isOlder("a")).isFalse();
        assertThat(ReflectorState.start(WireFormat.JSON).isOlder("9")).isFalse();
    }

    @Test
    void chanceAddsUpToTheSameAgain() {
        ReflectorState.Transition transition = ReflectorState.start(WireFormat.JSON)
                .after(cut(false), Resource.slices(), ReflectorState.Waits.USUAL, 0.5);

        assertThat(transition.pause()).isEqualTo(Duration.ofMillis(1200));
    }

    /** Servers before 1.31 select Services by name only. */
    @Test
    void withoutTheSelectorThereIsMore() {
        ReflectorState pages = ReflectorState.start(WireFormat.JSON)
                .after(refused(400), Resource.services(), ReflectorState.Waits.USUAL, 0)
                .reflectorState();

        ReflectorState.Transition transition =
                pages.after(refused(400), Resource.services(), ReflectorState.Waits.USUAL, 0);

        assertThat(transition.pause()).isZero();
        assertThat(pages.requested(Resource.services())).isEqualTo(Resource.services());
        assertThat(transition.reflectorState().requested(Resource.services()).fields())
                .isEmpty();
        assertThat(transition.reflectorState().requested(Resource.services()).labels())
                .isEqualTo(Resource.services().labels());
        assertThat(transition.reflectorState().listWatchRequest()).isEqualTo(FIRST);
        ReflectorState.Transition again =
                transition.reflectorState().after(refused(400), Resource.services(), ReflectorState.Waits.USUAL, 0);
        assertThat(again.reflectorState().failures()).isEqualTo(1);
    }

    /** Without its selector we would take another node for our own. */
    @Test
    void theSelectorOfTheNodeIsNeverLeftOut() {
        ReflectorState pages = ReflectorState.start(WireFormat.JSON)
                .after(refused(400), Resource.node("n"), ReflectorState.Waits.USUAL, 0)
                .reflectorState();

        ReflectorState.Transition transition =
                pages.after(refused(400), Resource.node("n"), ReflectorState.Waits.USUAL, 0);

        assertThat(transition.reflectorState().requested(Resource.node("n"))).isEqualTo(Resource.node("n"));
        assertThat(transition.reflectorState().failures()).isEqualTo(1);
    }

    @Test
    void withoutProtobufThereIsJson() {
        ReflectorState.Transition transition = ReflectorState.start(WireFormat.PROTOBUF)
                .after(refused(406), Resource.slices(), ReflectorState.Waits.USUAL, 0);

        assertThat(transition.reflectorState()).isEqualTo(ReflectorState.start(WireFormat.JSON));
        assertThat(transition.pause()).isZero();
    }

    /** A role of a server that does not have it forbids it, for it does not name it. */
    @ParameterizedTest
    @ValueSource(ints = {403, 404})
    void missingResourceIsSynced(int code) {
        ReflectorState.Transition transition = ReflectorState.start(WireFormat.JSON)
                .after(refused(code), Resource.serviceCidrs(), ReflectorState.Waits.USUAL, 0);

        assertThat(transition.reflectorState().complete()).isTrue();
        assertThat(transition.reflectorState().absent()).isTrue();
        assertThat(transition.pause()).isGreaterThanOrEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void undecidedRefusalDoesNotMeanAbsent() {
        ReflectorState.Transition transition = ReflectorState.start(WireFormat.JSON)
                .after(
                        new WatchOutcome.Undecided(ApiStatus.of(403)),
                        Resource.serviceCidrs(),
                        ReflectorState.Waits.USUAL,
                        0);

        assertThat(transition.reflectorState().complete()).isFalse();
        assertThat(transition.reflectorState().absent()).isFalse();
        assertThat(transition.pause()).isEqualTo(ReflectorState.Waits.USUAL.first());
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404})
    void oneNotFoundDoesNotRemoveTheResource(int code) {
        ReflectorState there = new ReflectorState(WATCH, WireFormat.JSON, true, 0, true, false, false);

        ReflectorState.Transition transition =
                there.after(refused(code), Resource.serviceCidrs(), ReflectorState.Waits.USUAL, 0);

        assertThat(transition.reflectorState().absent()).isFalse();
        assertThat(transition.reflectorState().listWatchRequest()).isEqualTo(WATCH);
    }

    @Test
    void nothingIsCompleteBeforeAListEnds() {
        ReflectorState reflectorState = ReflectorState.start(WireFormat.JSON);
        for (WatchOutcome watchOutcome : new WatchOutcome[] {
            refused(422), new WatchOutcome.Listed("7", Optional.of("t")), cut(true), refused(410), refused(500)
        }) {
            reflectorState = reflectorState
                    .after(watchOutcome, Resource.services(), ReflectorState.Waits.USUAL, 0)
                    .reflectorState();
            assertThat(reflectorState.complete()).isFalse();
            assertThat(reflectorState.listWatchRequest()).isNotInstanceOf(ListWatchRequest.Watch.class);
        }
        reflectorState = reflectorState
                .after(
                        new WatchOutcome.Listed("9", Optional.empty()),
                        Resource.services(),
                        ReflectorState.Waits.USUAL,
                        0)
                .reflectorState();
        assertThat(reflectorState.complete()).isTrue();
    }

    @Test
    void selectorsAreEscaped() {
        assertThat(new ListWatchRequest.Watch("7").target(Resource.services(), 300))
                .isEqualTo("/api/v1/services?labelSelector=%21service.kubernetes.io%2Fservice-proxy-name"
                        + "&fieldSelector=spec.clusterIP%21%3DNone"
                        + "&watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=7");
        assertThat(STREAM.target(Resource.node("n1"), 300))
                .isEqualTo("/api/v1/nodes?fieldSelector=metadata.name%3Dn1&watch=true&allowWatchBookmarks=true"
                        + "&timeoutSeconds=300&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
        assertThat(new ListWatchRequest.Page(Optional.of("a b"), false, "0").target(Resource.serviceCidrs(), 300))
                .isEqualTo("/apis/networking.k8s.io/v1/servicecidrs?limit=500&continue=a%20b");
        assertThat(WHOLE_NEWEST.target(Resource.serviceCidrs(), 300))
                .isEqualTo("/apis/networking.k8s.io/v1/servicecidrs");
    }

    private static WatchOutcome cut(boolean lively) {
        return new WatchOutcome.Cut(lively, lively, "");
    }

    private static WatchOutcome begun() {
        return new WatchOutcome.Cut(true, false, "");
    }

    private static WatchOutcome behind() {
        return new WatchOutcome.Refused(
                new ApiStatus(504, "Timeout", "Too large resource version: 7, current: 5", OptionalInt.empty()),
                Duration.ZERO);
    }

    private static WatchOutcome refused(int code) {
        return refused(code, 0);
    }

    private static WatchOutcome refused(int code, int seconds) {
        return new WatchOutcome.Refused(ApiStatus.of(code), Duration.ofSeconds(seconds));
    }
}
