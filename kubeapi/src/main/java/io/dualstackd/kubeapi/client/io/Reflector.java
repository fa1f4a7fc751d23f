package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.client.ClusterStatus;
import io.dualstackd.kubeapi.client.ListWatchRequest;
import io.dualstackd.kubeapi.client.Outage;
import io.dualstackd.kubeapi.client.ReflectorState;
import io.dualstackd.kubeapi.client.Resource;
import io.dualstackd.kubeapi.client.ResourceFailure;
import io.dualstackd.kubeapi.client.VersionTracker;
import io.dualstackd.kubeapi.client.WatchOutcome;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.kubeapi.wire.WireListener;
import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import io.dualstackd.supervision.Backoff;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.io.Supervisor;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the store equal to one resource of the server, for ever. {@link ReflectorState} decides what to request next,
 * {@link VersionTracker} what has changed; this class sends requests and passes on the results. Only used on the thread {@code api}.
 */
final class Reflector implements WireListener, ResponseReader.End {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    /** A watch that lasts this long works, even without events. */
    private static final Duration PROOF = Duration.ofSeconds(1);

    private static final int MOST_REMARKS = 200;

    private final Resource resource;
    private final Surroundings around;
    private final Supervisor.Row alive;
    private final ApiConnection connection;
    private final VersionTracker versionTracker;
    private ReflectorState reflectorState;
    private Duration silence = Duration.ZERO;
    private boolean lively;
    /** The last request has ended. */
    private boolean answered;

    private boolean bookmarks;
    private String reached = "";
    private Optional<WatchOutcome> listed = Optional.empty();
    private Optional<ApiStatus> refusal = Optional.empty();
    /** Messages logged about invalid values: each is logged once, however often the object arrives. */
    private final Set<String> remarks = new HashSet<>();

    private @Nullable ScheduledFuture<?> proof;
    /** The next request, while it is scheduled. */
    private @Nullable ScheduledFuture<?> next;
    /** It is delayed only because the server did not answer, or rejected the credentials. */
    private boolean hoping;
    /** When updates that the store could not take are offered again. */
    private @Nullable ScheduledFuture<?> offer;

    private int offers;

    /** The last request was answered. */
    private boolean shown;

    private boolean closed;
    private long lists;
    private long events;

    /**
     * The parts that all reflectors share.
     *
     * @param stored whether the store has an equal object
     * @param store takes updates
     * @param completed called when a resource has been read completely, or is known not to exist
     * @param answers called when the server begins to answer a watch: those that wait for the server need not wait any longer
     * @param shown whether the server allows reading any resource now
     */
    record Surroundings(
            Dialer dialer,
            ApiTimeouts apiTimeouts,
            Outage outage,
            Predicate<ApiObject> stored,
            Consumer<List<Update>> store,
            Runnable completed,
            Runnable answers,
            BooleanSupplier shown) {}

    Reflector(Resource resource, WireFormat format, Surroundings around, Supervisor supervisor) {
        this.alive = supervisor.heartbeat(component(resource));
        this.resource = resource;
        this.around = around;
        this.connection = new ApiConnection(around.dialer());
        this.versionTracker = new VersionTracker(around.stored());
        this.reflectorState = ReflectorState.start(format);
    }

    private static Component component(Resource resource) {
        return switch (resource.kind()) {
            case SERVICE -> Component.SERVICES;
            case ENDPOINT_SLICE -> Component.ENDPOINT_SLICES;
            case NODE -> Component.NODES;
            case SERVICE_CIDR -> Component.SERVICE_CIDRS;
            default -> throw new IllegalArgumentException("nothing follows " + resource.name());
        };
    }

    void start() {
        ask();
    }

    boolean isComplete() {
        return reflectorState.complete();
    }

    /** Whether the server answers the requests of this reflector. */
    boolean isShown() {
        return shown;
    }

    ApiConnection connection() {
        return connection;
    }

    /** Another request was answered, so the server is reachable again. */
    void tryNow() {
        if (hoping && next != null && next.cancel(false)) {
            ask();
        }
    }

    /** Restarts the reflector if neither a response is pending nor a request scheduled, as after an Error. */
    void lookAfter() {
        if (!closed && !connection.isBusy() && (next == null || next.isDone())) {
            LOG.error("nothing was asked any more, beginning again resource={}", resource.name());
            ask();
        }
    }

    void close() {
        closed = true;
        alive.close();
        stopProof();
        connection.close();
    }

    private void ask() {
        next = null;
        hoping = false;
        if (closed) {
            return;
        }
        try {
            askNow();
        } catch (RuntimeException e) {
            LOG.error("error before a question resource={}", resource.name(), e);
            failed(false, "an error before asking " + around.dialer().who() + ": " + e);
        }
    }

    private void askNow() {
        lively = false;
        listed = Optional.empty();
        refusal = Optional.empty();
        reached = "";
        answered = false;
        ListWatchRequest listWatchRequest = reflectorState.listWatchRequest();
        if (listWatchRequest instanceof ListWatchRequest.StreamedList
                || (listWatchRequest instanceof ListWatchRequest.Page(Optional<String> token, var ignored, var ignored2)
                        && token.isEmpty())) {
            versionTracker.beginList();
        }
        ApiTimeouts apiTimeouts = around.apiTimeouts();
        long shortest = apiTimeouts.watch().toSeconds();
        int timeout = (int) (shortest + ThreadLocalRandom.current().nextLong(shortest + 1));
        Duration silence = listWatchRequest instanceof ListWatchRequest.Watch && !bookmarks
                ? Duration.ofSeconds(timeout).plus(apiTimeouts.silence())
                : listWatchRequest instanceof ListWatchRequest.Watch ? apiTimeouts.silence() : apiTimeouts.firstByte();
        silent(silence.compareTo(apiTimeouts.firstByte()) > 0 ? silence : apiTimeouts.firstByte());
        connection.ask(
                ApiRequest.get(
                        listWatchRequest.target(reflectorState.asked(resource), timeout),
                        reflectorState.format().accept(),
                        listWatchRequest.isWatch(),
                        apiTimeouts.firstByte(),
                        silence),
                new ResponseReader(resource.kind(), listWatchRequest.isWatch(), this));
    }

    /** The connection reports its end after this silence; when even that report is missing, the component is dead. */
    private void silent(Duration longest) {
        silence = longest;
        alive.quiet(longest);
    }

    // Content of the response.

    @Override
    public void put(ApiObject object, String resourceVersion) {
        versionTracker.put(object, resourceVersion);
        told(resourceVersion);
    }

    @Override
    public void gone(ObjectKey key, String resourceVersion) {
        versionTracker.gone(key);
        told(resourceVersion);
    }

    @Override
    public void unreadable(ObjectKey key, String resourceVersion, String why) {
        if (versionTracker.unreadable(key, why)) {
            LOG.warn(
                    "object cannot be used object=\"{}\" reason=\"{}\" next=\"its previous version stays in force\"",
                    key,
                    why);
        }
        told(resourceVersion);
    }

    @Override
    public void dropped(IgnoredValue value) {
        if (remarks.size() < MOST_REMARKS && remarks.add(value.toString())) {
            LOG.warn("value of an object ignored {}", value);
        }
    }

    private void told(String resourceVersion) {
        if (reflectorState.listWatchRequest() instanceof ListWatchRequest.Watch) {
            reached = resourceVersion;
            events++;
        }
    }

    @Override
    public void bookmark(String resourceVersion, boolean initialEventsEnd) {
        bookmarks = true;
        if (reflectorState.listWatchRequest() instanceof ListWatchRequest.Watch) {
            reached = resourceVersion;
        } else if (initialEventsEnd) {
            connection.mayBeSilent(around.apiTimeouts().silence());
            silent(around.apiTimeouts().silence());
            finishList(new WatchOutcome.Reached(resourceVersion));
        }
    }

    @Override
    public void listed(String resourceVersion, Optional<String> continueToken) {
        listed = Optional.of(new WatchOutcome.Listed(resourceVersion, continueToken));
    }

    @Override
    public void error(ApiStatus status) {
        refusal = Optional.of(status);
    }

    private void finishList(WatchOutcome watchOutcome) {
        lists++;
        versionTracker.endList();
        apply();
        take(watchOutcome);
        works();
        around.completed().run();
    }

    /** Passes changes to the store. */
    private void apply() {
        List<Update> updates = versionTracker.due();
        if (updates.isEmpty()) {
            return;
        }
        try {
            around.store().accept(updates);
        } catch (RuntimeException e) {
            LOG.error("changes could not be taken together, trying one by one resource={}", resource.name(), e);
            applyEach(updates);
        }
        versionTracker.taken();
    }

    /** Applies updates one by one: one that cannot be taken must not prevent the others, and is offered again later. */
    private void applyEach(List<Update> updates) {
        boolean all = true;
        for (Update update : updates) {
            try {
                around.store().accept(List.of(update));
                versionTracker.taken(update);
            } catch (RuntimeException e) {
                all = false;
                if (versionTracker.refused(update, "cannot be put in force: " + e)) {
                    LOG.error("change could not be taken, trying again later object=\"{}\"", update.key(), e);
                }
            }
        }
        offers = all ? 0 : offers + 1;
        if (!all && (offer == null || offer.isDone())) {
            ReflectorState.Waits waits = around.apiTimeouts().retries();
            offer = around.dialer()
                    .loop()
                    .schedule(this::offerAgain, new Backoff(waits.first(), waits.longest()).after(offers));
        }
    }

    private void offerAgain() {
        if (!closed && versionTracker.tryAgain()) {
            offer = null;
            List<Update> updates = List.copyOf(versionTracker.due());
            applyEach(updates);
            versionTracker.taken();
        }
    }

    // Progress of the response.

    @Override
    public void accepted() {
        shown = true;
        if (reflectorState.listWatchRequest() instanceof ListWatchRequest.Watch) {
            proof = around.dialer().loop().schedule(this::proven, PROOF);
        }
        if (reflectorState.listWatchRequest().isWatch()) {
            around.answers().run();
        }
    }

    private void proven() {
        lively = true;
        works();
    }

    @Override
    public void pause() {
        alive.quiet(silence);
        apply();
        if (!reached.isEmpty()) {
            String version = reached;
            reached = "";
            if (reflectorState.isOlder(version)) {
                connection.close();
                over(new WatchOutcome.WentBack(version));
                return;
            }
            if (!lively) {
                proven();
            }
            take(new WatchOutcome.Reached(version));
        }
        refusal.ifPresent(status -> {
            connection.close();
            over(new WatchOutcome.Refused(status, ResponseReader.retryAfter(status, "")));
        });
    }

    @Override
    public void end() {
        ending(() -> {
            pause();
            if (answered) {
                return;
            }
            if (listed.isEmpty()) {
                over(new WatchOutcome.Ended(lively));
                return;
            }
            WatchOutcome watchOutcome = listed.get();
            if (watchOutcome instanceof WatchOutcome.Listed(var ignored, Optional<String> token) && token.isEmpty()) {
                finishList(watchOutcome);
            } else {
                take(watchOutcome);
            }
            stopProof();
            ask();
        });
    }

    @Override
    public void garbled(String why) {
        ending(() -> {
            connection.close();
            over(new WatchOutcome.Garbled(why));
        });
    }

    @Override
    public void refused(ApiStatus status, Duration retryAfter) {
        ending(() -> refusedNow(status, retryAfter));
    }

    private void refusedNow(ApiStatus status, Duration retryAfter) {
        if (status.code() == WatchOutcome.UNAUTHORIZED) {
            around.dialer().refused();
            // The credentials may be a certificate, which is sent when a connection is made.
            connection.close();
        }
        shown = false;
        boolean undecided = resource.optional()
                && status.code() == WatchOutcome.FORBIDDEN
                && !around.shown().getAsBoolean();
        over(undecided ? new WatchOutcome.Undecided(status) : new WatchOutcome.Refused(status, retryAfter));
    }

    @Override
    public void failed(boolean begun, String why) {
        shown = false;
        ending(() -> {
            pause();
            over(new WatchOutcome.Cut(begun, lively, why));
        });
    }

    @Override
    public void silent(String why) {
        shown = false;
        ending(() -> {
            pause();
            over(new WatchOutcome.Silent(why));
        });
    }

    /** Runs the work at the end of a response; in any case, the next request is scheduled. */
    private void ending(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException e) {
            LOG.error("error after an answer resource={}", resource.name(), e);
            if (!connection.isBusy()) {
                over(new WatchOutcome.Cut(
                        true,
                        false,
                        "an error after an answer of " + around.dialer().who() + ": " + e));
            }
        }
    }

    /** The same response continues. */
    private void take(WatchOutcome watchOutcome) {
        reflectorState = after(watchOutcome).reflectorState();
    }

    private ReflectorState.Transition after(WatchOutcome watchOutcome) {
        return reflectorState.after(
                watchOutcome,
                resource,
                around.apiTimeouts().retries(),
                ThreadLocalRandom.current().nextDouble());
    }

    /** The response is over, if it was not before, and the next request is scheduled. */
    private void over(WatchOutcome watchOutcome) {
        if (answered) {
            return;
        }
        answered = true;
        stopProof();
        Duration pause = around.apiTimeouts().retries().longest();
        try {
            pause = decide(watchOutcome);
        } catch (RuntimeException e) {
            LOG.error("error between an answer and the next question resource={}", resource.name(), e);
        }
        if (!closed) {
            alive.quiet(pause);
            next = around.dialer().loop().schedule(this::ask, pause);
            hoping = watchOutcome.isNoAnswer();
        }
    }

    /** Decides on the next request and returns the wait before it. */
    private Duration decide(WatchOutcome watchOutcome) {
        ListWatchRequest asked = reflectorState.listWatchRequest();
        ReflectorState before = reflectorState;
        ReflectorState.Transition transition = after(watchOutcome);
        reflectorState = transition.reflectorState();
        LOG.debug(
                "answer over resource={} ask={} heard={} next={} pause={}",
                resource.name(),
                asked,
                watchOutcome,
                reflectorState.listWatchRequest(),
                transition.pause());
        if (reflectorState.wide() != before.wide()) {
            LOG.info("the API server cannot select {} by field; reading all of them", resource.name());
        } else if (!reflectorState.absent()) {
            ResourceFailure.of(resource, asked, watchOutcome)
                    .ifPresent(resourceFailure -> log(around.outage()
                            .failed(
                                    resource,
                                    resourceFailure,
                                    reflectorState.failures(),
                                    reflectorState.complete(),
                                    Instant.now())));
        } else {
            if (!before.absent()) {
                LOG.info("the API server has no {}, or does not show it; going on without", resource.name());
            }
            works();
            around.completed().run();
        }
        return transition.pause();
    }

    private void works() {
        log(around.outage().works(resource, Instant.now()));
    }

    private void log(List<Outage.Line> lines) {
        String server = around.dialer().server().url();
        for (Outage.Line line : lines) {
            switch (line) {
                case Outage.Line.Begun(ResourceFailure resourceFailure) ->
                    LOG.warn(
                            "API server {} server={} reason=\"{}\" next=\"rules stay as they are; {}\"",
                            resourceFailure.reachable() ? "refuses" : "unreachable",
                            server,
                            resourceFailure.what(),
                            resourceFailure.next());
                case Outage.Line.Over(Duration after) ->
                    LOG.info("API server is back server={} seconds={}", server, after.toMillis() / 1e3);
            }
        }
    }

    private void stopProof() {
        if (proof != null) {
            proof.cancel(false);
        }
    }

    ClusterStatus.Followed status() {
        return new ClusterStatus.Followed(
                resource.name(),
                reflectorState.complete(),
                reflectorState.absent(),
                reflectorState.format(),
                versionTracker.size(),
                lists,
                events,
                versionTracker.unreadable().entrySet().stream()
                        .map(entry -> entry.getKey() + ": " + entry.getValue())
                        .sorted()
                        .toList());
    }
}
