package io.dualstackd.kubeapi.client.io;

import io.dualstackd.kubeapi.client.ClusterStatus;
import io.dualstackd.kubeapi.client.ListWatchRequest;
import io.dualstackd.kubeapi.client.ReflectorState;
import io.dualstackd.kubeapi.client.RegularBookmarks;
import io.dualstackd.kubeapi.client.Resource;
import io.dualstackd.kubeapi.client.VersionTracker;
import io.dualstackd.kubeapi.client.WatchOutcome;
import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.snapshot.SnapshotReader;
import io.dualstackd.kubeapi.snapshot.SnapshotWriter;
import io.dualstackd.kubeapi.wire.ApiStatus;
import io.dualstackd.kubeapi.wire.WireFormat;
import io.dualstackd.kubeapi.wire.raw.IgnoredValue;
import io.dualstackd.supervision.io.Supervisor;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the store equal to one resource of the server, for ever. {@link ReflectorState} decides what to request next,
 * {@link VersionTracker} what has changed; this class sends requests and passes on the results. Only used on the thread {@code api}.
 */
final class Reflector implements ResponseReader.End {
    private static final Logger LOG = LoggerFactory.getLogger("cluster");

    /** A watch that lasts this long works, even without events. */
    private static final Duration PROOF = Duration.ofSeconds(1);

    /** A server that cannot go on from the version of a former process says so right after the head of its response. */
    private static final Duration RESUMED = Duration.ofMillis(20);

    /** Objects of a snapshot that the store receives together. */
    private static final int PORTION = 500;

    private final Resource resource;
    private final ReflectorContext around;
    private final Supervisor.Row alive;
    private final ApiConnection connection;
    private final VersionTracker versionTracker;
    private final StoreWriter storeWriter;
    private final ReflectorLog log;
    private ReflectorState reflectorState;
    private Duration silence = Duration.ZERO;
    private boolean lively;
    /** Whether the request before this one ended because the server was silent. */
    private boolean wasSilent;
    /** The last request has ended. */
    private boolean answered;

    private final RegularBookmarks regularBookmarks;
    /** After how many seconds the server is to end the watch. */
    private int timeout;
    /** The server was away, and has sent nothing since: its data may have been restored meanwhile. */
    private boolean wasAway;

    private String reached = "";
    /** The version of the snapshot that this process began with. */
    private Optional<String> restored = Optional.empty();
    /** The server has not yet shown that it can go on from there. */
    private boolean unconfirmed;

    private WatchOutcome.@Nullable Listed listed;
    private Optional<ApiStatus> refusal = Optional.empty();
    private @Nullable ScheduledFuture<?> proof;
    /** The next request, while it is scheduled. */
    private @Nullable ScheduledFuture<?> next;
    /** It is delayed only because the server did not answer, or rejected the credentials. */
    private boolean hoping;
    /** The last request was answered. */
    private boolean shown;

    private boolean closed;
    private long lists;
    private long events;

    Reflector(Resource resource, WireFormat format, ReflectorContext around, Supervisor.Row alive) {
        this.alive = alive;
        this.resource = resource;
        this.around = around;
        this.connection = new ApiConnection(around.dialer());
        this.versionTracker = new VersionTracker(resource.kind(), around.stored());
        this.storeWriter = new StoreWriter(resource, around, versionTracker);
        this.log = new ReflectorLog(resource, around);
        this.regularBookmarks = new RegularBookmarks(around.apiTimeouts().silence());
        this.reflectorState = ReflectorState.start(format);
    }

    /** Whether everything has been read, or the server goes on from the version of a snapshot. */
    boolean isComplete() {
        return reflectorState.complete() && !unconfirmed;
    }

    /** Whether the server answers the requests of this reflector. */
    boolean isShown() {
        return shown;
    }

    ApiConnection connection() {
        return connection;
    }

    Resource resource() {
        return resource;
    }

    /** The version of the server up to which everything is known; empty while a list is read. */
    Optional<String> version() {
        return reflectorState.watched();
    }

    /**
     * Takes the objects of a former process; the first request continues from its version.
     *
     * @throws IOException if they cannot be read; those before are in the store then, and a list decides
     */
    void restore(SnapshotReader snapshot, String version) throws IOException {
        versionTracker.beginList();
        snapshot.objects((object, ofObject) -> {
            versionTracker.put(object, ofObject);
            if (versionTracker.due().size() >= PORTION) {
                storeWriter.apply();
            }
        });
        versionTracker.endList();
        storeWriter.apply();
        restored = Optional.of(version);
        unconfirmed = true;
        take(new WatchOutcome.Restored(version));
    }

    /** A former process has read this resource, too: the first list must be the newest, and shows how far the server is. */
    void mustBeNewest() {
        unconfirmed = true;
        reflectorState = reflectorState.read();
    }

    /**
     * The server has just been at this version. If that is older than the version of the snapshot, its data was restored meanwhile, and
     * a watch would be silent: everything is listed.
     */
    void serverIsAt(String version) {
        if (restored.filter(from -> ReflectorState.isOlder(version, from)).isEmpty()) {
            return;
        }
        unconfirmed = true;
        if (connection.isBusy()) {
            connection.close();
            over(new WatchOutcome.WentBack(version));
        } else {
            take(new WatchOutcome.WentBack(version));
        }
    }

    /** Whether the store has exactly what the server had at {@link #version}, or a former process knew, selected as in the next process. */
    boolean canBeSaved() {
        return reflectorState.complete()
                && !reflectorState.wide()
                && reflectorState.watched().isPresent()
                && reached.isEmpty()
                && versionTracker.isStored();
    }

    /** Writes the objects that the store has. */
    void save(SnapshotWriter snapshot, Function<ObjectKey, Optional<ApiObject>> stored) throws IOException {
        snapshot.begin(ListWatchRequest.selection(resource), version().orElseThrow());
        versionTracker.visit((key, version) -> {
            Optional<ApiObject> object = stored.apply(key);
            if (object.isPresent()) {
                snapshot.put(object.get(), version);
            }
        });
        snapshot.end();
    }

    /** Another request was answered, so the server is reachable again. */
    void tryNow() {
        if (hoping && next != null && next.cancel(false)) {
            request();
        }
    }

    /** Restarts the reflector if neither a response is pending nor a request scheduled, as after an Error. */
    void lookAfter() {
        if (!closed && !connection.isBusy() && (next == null || next.isDone())) {
            LOG.error("no request was pending, starting again resource={}", resource.name());
            request();
        }
    }

    void close() {
        closed = true;
        storeWriter.close();
        alive.close();
        stopProof();
        connection.close();
    }

    /** Sends the next request. */
    void request() {
        next = null;
        hoping = false;
        if (closed) {
            return;
        }
        try {
            askNow();
        } catch (RuntimeException e) {
            LOG.error("error before a request resource={}", resource.name(), e);
            failed(false, "an error before asking " + around.dialer().serverName() + ": " + e);
        }
    }

    private void askNow() {
        lively = false;
        listed = null;
        refusal = Optional.empty();
        reached = "";
        answered = false;
        ListWatchRequest listWatchRequest = reflectorState.listWatchRequest();
        if (listWatchRequest.beginsList()) {
            versionTracker.beginList();
        }
        ApiTimeouts apiTimeouts = around.apiTimeouts();
        timeout = apiTimeouts.watchSeconds(around.platform().random());
        regularBookmarks.begin();
        Duration silence = apiTimeouts.silence(listWatchRequest, regularBookmarks.areProven() || wasAway, timeout);
        silent(silence.compareTo(apiTimeouts.firstByte()) > 0 ? silence : apiTimeouts.firstByte());
        connection.send(
                ApiRequest.get(
                        listWatchRequest.target(reflectorState.requested(resource), timeout),
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

    @Override
    public void put(ApiObject object, String resourceVersion) {
        versionTracker.put(object, resourceVersion);
        advance(resourceVersion);
    }

    @Override
    public void gone(ObjectKey key, String resourceVersion) {
        versionTracker.gone(key);
        advance(resourceVersion);
    }

    @Override
    public void unreadable(ObjectKey key, String resourceVersion, String why) {
        if (versionTracker.unreadable(key, why)) {
            log.unreadable(key, why);
        }
        advance(resourceVersion);
    }

    @Override
    public void dropped(IgnoredValue value) {
        log.ignored(value);
    }

    private void advance(String resourceVersion) {
        if (reflectorState.listWatchRequest() instanceof ListWatchRequest.Watch) {
            reached = resourceVersion;
            events++;
            isBack();
        }
    }

    @Override
    public void bookmark(String resourceVersion, boolean initialEventsEnd) {
        if (reflectorState.listWatchRequest() instanceof ListWatchRequest.Watch) {
            reached = resourceVersion;
            isBack();
            if (regularBookmarks.bookmark(around.platform().nanoTime(), events)) {
                mayBeSilent();
            }
        } else if (initialEventsEnd) {
            finishList(new WatchOutcome.Reached(resourceVersion));
            mayBeSilent();
            startProof();
        }
    }

    private void isBack() {
        if (wasAway) {
            wasAway = false;
            mayBeSilent();
        }
    }

    private void mayBeSilent() {
        Duration longest =
                around.apiTimeouts().silence(reflectorState.listWatchRequest(), regularBookmarks.areProven(), timeout);
        connection.mayBeSilent(longest);
        silent(longest);
    }

    @Override
    public void listed(String resourceVersion, Optional<String> continueToken) {
        listed = new WatchOutcome.Listed(resourceVersion, continueToken);
    }

    @Override
    public void error(ApiStatus status) {
        refusal = Optional.of(status);
    }

    private void finishList(WatchOutcome watchOutcome) {
        lists++;
        wasAway = false;
        unconfirmed = false;
        versionTracker.endList();
        storeWriter.apply();
        take(watchOutcome);
        log.works();
        around.completed().run();
    }

    @Override
    public void accepted() {
        shown = true;
        if (reflectorState.listWatchRequest() instanceof ListWatchRequest.Watch) {
            startProof();
        }
        if (reflectorState.listWatchRequest().isWatch()) {
            around.answers().run();
        }
    }

    private void startProof() {
        proof = around.dialer().loop().schedule(this::proven, unconfirmed ? RESUMED : PROOF);
    }

    private void proven() {
        lively = true;
        // Silent watches are counted over all of them that the server accepts.
        if (reflectorState.listWatchRequest() instanceof ListWatchRequest.Watch(String version, boolean first)
                && (first || !wasSilent)) {
            take(new WatchOutcome.Reached(version));
        }
        log.works();
        if (unconfirmed) {
            unconfirmed = false;
            around.completed().run();
        }
    }

    @Override
    public void pause() {
        alive.quiet(silence);
        storeWriter.apply();
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
            if (listed == null) {
                over(new WatchOutcome.Ended(lively));
                return;
            } else if (listed.continueToken().isEmpty()) {
                finishList(listed);
            } else {
                take(listed);
            }
            stopProof();
            request();
        });
    }

    @Override
    public void garbled(String why) {
        ending(() -> {
            connection.close();
            pause();
            over(new WatchOutcome.Garbled(why));
        });
    }

    @Override
    public void refused(ApiStatus status, Duration retryAfter) {
        ending(() -> {
            if (status.code() == WatchOutcome.UNAUTHORIZED) {
                connection.refused();
            }
            shown = false;
            boolean undecided = resource.optional()
                    && (status.code() == WatchOutcome.FORBIDDEN || status.code() == WatchOutcome.NOT_FOUND)
                    && !around.shown().getAsBoolean();
            over(undecided ? new WatchOutcome.Undecided(status) : new WatchOutcome.Refused(status, retryAfter));
        });
    }

    @Override
    public void failed(boolean begun, String why) {
        shown = false;
        wasAway = true;
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
            if (reflectorState.listWatchRequest().beginsList()) {
                // A server that was started anew may not know its version yet, and sends none until something changes.
                regularBookmarks.doubt();
            }
        });
    }

    /** Runs the work at the end of a response; in any case, the next request is scheduled. */
    private void ending(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException e) {
            LOG.error("error after a response resource={}", resource.name(), e);
            if (!connection.isBusy()) {
                over(new WatchOutcome.Cut(
                        true,
                        false,
                        "an error after an answer of " + around.dialer().serverName() + ": " + e));
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
                around.platform().random().nextDouble());
    }

    /** The response is over, if it was not before, and the next request is scheduled. */
    private void over(WatchOutcome watchOutcome) {
        if (answered) {
            return;
        }
        answered = true;
        wasSilent = watchOutcome instanceof WatchOutcome.Silent;
        stopProof();
        Duration pause = around.apiTimeouts().retries().longest();
        try {
            pause = decide(watchOutcome);
        } catch (RuntimeException e) {
            LOG.error("error between a response and the next request resource={}", resource.name(), e);
        }
        if (!closed) {
            alive.quiet(pause);
            next = around.dialer().loop().schedule(this::request, pause);
            hoping = watchOutcome.isNoAnswer();
        }
    }

    /** Decides on the next request and returns the wait before it. */
    private Duration decide(WatchOutcome watchOutcome) {
        ReflectorState before = reflectorState;
        ReflectorState.Transition transition = after(watchOutcome);
        reflectorState = transition.reflectorState();
        // It may say late that it cannot go on from there; what counts then is the list that follows.
        unconfirmed |= restored.isPresent()
                && restored.equals(before.watched())
                && reflectorState.watched().isEmpty();
        log.over(watchOutcome, before, transition);
        if (reflectorState.absent()) {
            log.works();
            around.completed().run();
        }
        return transition.pause();
    }

    private void stopProof() {
        if (proof != null) {
            proof.cancel(false);
        }
    }

    ClusterStatus.Followed status() {
        return new ClusterStatus.Followed(
                resource.name(),
                isComplete(),
                reflectorState.absent(),
                reflectorState.format(),
                versionTracker.size(),
                lists,
                events,
                versionTracker.unreadable());
    }
}
