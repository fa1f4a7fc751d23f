package io.dualstackd.agent.app;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.agent.cli.Launch;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.config.Reload;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.io.Worker;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the configuration again on request or when one of its files changes. Changes that are possible at run time are applied, all others
 * are named, and an invalid configuration changes nothing. {@link #last} is the result.
 */
public final class Reloading implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    /** The time files must stay unchanged before they are read: programs write in several steps. */
    private static final Duration QUIET = Duration.ofMillis(200);

    /** The longest wait for that: other files of the folder may change without a pause. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    /** Applies another configuration. */
    public interface Change {
        /** @throws IOException why some of it is not applied, and what to do about it */
        void apply(ConfigResult.Usable next) throws IOException;
    }

    private final Launch launch;
    private final Change change;
    private final Runnable check;
    /** Empty where nothing is to be watched, and where the system has none to give. */
    private final Optional<WatchService> watcher;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Worker worker;
    private ConfigResult.Usable inForce;
    private final Set<Path> emptyAtStart;
    /** Whether some of it could not be applied. */
    private boolean incomplete;

    private final Set<Problem> loggedWarnings = new HashSet<>();
    private final Set<WatchKey> keys = new HashSet<>();
    /** Folders that could not be watched at the last attempt. */
    private final Set<Path> unwatched = new HashSet<>();

    /** At first none: the files may have changed since the start read them. */
    private List<String> texts = List.of();

    private volatile Optional<StatusReport.Reload> last = Optional.empty();

    private Reloading(
            Launch launch,
            Set<Path> emptyAtStart,
            Change change,
            Runnable check,
            Optional<WatchService> watcher,
            Supervisor supervisor) {
        this.worker = supervisor.worker(Component.SETTINGS, this::follow);
        this.launch = launch;
        this.change = change;
        this.check = check;
        this.watcher = watcher;
        this.inForce = launch.usable();
        this.loggedWarnings.addAll(launch.usable().warnings());
        this.emptyAtStart = Set.copyOf(emptyAtStart);
    }

    /**
     * Starts to follow the files.
     *
     * @param emptyAtStart as {@link #emptyFiles} found when the process began
     * @param check called at least every half a minute, to find out whether what was applied is still so
     */
    public static Reloading start(
            Launch launch, Set<Path> emptyAtStart, Change change, Runnable check, Supervisor supervisor) {
        return start(launch, emptyAtStart, change, check, FileSystems.getDefault()::newWatchService, supervisor);
    }

    static Reloading start(
            Launch launch,
            Set<Path> emptyAtStart,
            Change change,
            Runnable check,
            Notifications notifications,
            Supervisor supervisor) {
        Reloading reloading =
                new Reloading(launch, emptyAtStart, change, check, watcher(launch, notifications), supervisor);
        reloading.watch();
        var _ = reloading.worker.start();
        return reloading;
    }

    /** Opens what notifies of changed files. */
    interface Notifications {
        WatchService open() throws IOException;
    }

    /** The system has few of them: 128 for all processes of a user, unless {@code fs.inotify.max_user_instances} says otherwise. */
    private static Optional<WatchService> watcher(Launch launch, Notifications notifications) {
        if (launch.files().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(notifications.open());
        } catch (IOException e) {
            LOG.warn("configuration cannot be watched reason=\"{}\" next=check-periodically", e.toString());
            return Optional.empty();
        }
    }

    /** Folders are watched, as files are replaced; a file that is a link may be replaced in either place. */
    private void watch() {
        Set<Path> folders = new HashSet<>();
        for (Path file : launch.files()) {
            Path whole = file.toAbsolutePath();
            folders.add(Objects.requireNonNullElse(whole.getParent(), whole));
            try {
                Path real = whole.toRealPath();
                folders.add(Objects.requireNonNullElse(real.getParent(), real));
            } catch (IOException e) {
                // It is being replaced; its folder is watched.
            }
        }
        // Kubernetes makes a new folder for each version of a ConfigMap, and removes the former one.
        keys.removeIf(key -> !key.isValid());
        for (Path folder : watcher.isPresent() ? folders : Set.<Path>of()) {
            try {
                keys.add(folder.register(
                        watcher.get(),
                        StandardWatchEventKinds.ENTRY_CREATE,
                        StandardWatchEventKinds.ENTRY_MODIFY,
                        StandardWatchEventKinds.ENTRY_DELETE));
                unwatched.remove(folder);
            } catch (IOException e) {
                if (unwatched.add(folder)) {
                    LOG.warn(
                            "configuration cannot be watched folder={} reason=\"{}\" next=check-periodically",
                            folder,
                            e.toString());
                }
            }
        }
    }

    private void follow(Heartbeat heartbeat) throws InterruptedException {
        // After a failure, a key may have been signalled but not reset; it would never be signalled again.
        keys.forEach(WatchKey::cancel);
        keys.clear();
        try {
            while (true) {
                // A link may lead elsewhere now, or the folder may be a new one; checked from time to time even without
                // a notification. Also done first: notifications from before a failure are not repeated.
                watch();
                readIfOther();
                heartbeat.beat();
                check.run();
                heartbeat.beat();
                if (watcher.isPresent()) {
                    awaitChange(watcher.get(), heartbeat);
                } else if (closed.await(heartbeat.longestWait().toNanos(), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (ClosedWatchServiceException e) {
            LOG.debug("closed");
        }
    }

    /** Returns when something has changed and nothing does any more, or after a while. */
    private static void awaitChange(WatchService watcher, Heartbeat heartbeat) throws InterruptedException {
        WatchKey signalled = watcher.poll(heartbeat.longestWait().toNanos(), TimeUnit.NANOSECONDS);
        long began = System.nanoTime();
        while (signalled != null) {
            drain(signalled, heartbeat);
            signalled = System.nanoTime() - began < LONGEST_WAIT.toNanos()
                    ? watcher.poll(QUIET.toMillis(), TimeUnit.MILLISECONDS)
                    : null;
        }
    }

    private static void drain(WatchKey signalled, Heartbeat heartbeat) {
        heartbeat.beat();
        signalled.pollEvents();
        signalled.reset();
    }

    /** Reads everything again on request, unless it is closed. */
    public synchronized void onRequest() {
        if (!isClosed()) {
            read(true);
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Most changes in a folder do not concern us. */
    private synchronized void readIfOther() {
        if (!isClosed() && !texts().equals(texts)) {
            read(false);
        }
    }

    private List<String> texts() {
        return launch.files().stream().map(Reloading::text).toList();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "cannot be read: " + e;
        }
    }

    private void read(boolean requested) {
        texts = texts();
        List<String> before = emptied();
        try {
            ConfigResult next = launch.reading().again();
            // It may have been emptied only just before it was read.
            List<String> emptied = before.isEmpty() ? emptied() : before;
            if (emptied.isEmpty()) {
                handle(Reload.of(inForce, next), requested);
            } else {
                refused(emptied);
            }
        } catch (IOException e) {
            refused(List.of(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            LOG.error("configuration cannot be read again, please report it", e);
            refused(List.of(bug(e)));
        }
    }

    /** Files that had content at the start and have none: a program that saves one empties it first. */
    private List<String> emptied() {
        return launch.files().stream()
                .filter(file -> !emptyAtStart.contains(file) && isEmpty(text(file)))
                .map(file -> file + " is empty")
                .toList();
    }

    /** The files that configure nothing now. One that is emptied later is not read: a program that saves it may not have ended. */
    public static Set<Path> emptyFiles(Launch launch) {
        return launch.files().stream().filter(file -> isEmpty(text(file))).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether there are only blanks and comments. */
    private static boolean isEmpty(String text) {
        return text.lines()
                .allMatch(line ->
                        line.isBlank() || line.startsWith("#") || line.strip().equals("---"));
    }

    private void handle(Reload reload, boolean requested) {
        switch (reload) {
            case Reload.Same() -> {
                // Also when keys that needed a restart have their old values again.
                boolean outdated = last.filter(
                                before -> !before.good() || !before.restart().isEmpty())
                        .isPresent();
                if (requested || outdated) {
                    report("nothing changed", apply(List.of()), List.of());
                }
            }
            case Reload.Refused(List<Problem> problems) ->
                refused(problems.stream()
                        .filter(Problem::isError)
                        .map(Problem::toString)
                        .toList());
            case Reload.Changed changed -> changed(changed);
        }
    }

    private void changed(Reload.Changed changed) {
        changed.next().warnings().stream()
                .filter(loggedWarnings::add)
                .forEach(warning -> LOG.warn("configuration: {}", warning));
        String applied = changed.applied().isEmpty() ? "nothing applied" : "applied " + names(changed.applied());
        if (!changed.applied().isEmpty()) {
            inForce = changed.next();
        }
        report(applied, apply(changed.applied()), changed.restart());
        if (!changed.restart().isEmpty()) {
            LOG.warn("configuration read again: restart needed: {}", names(changed.restart()));
        }
    }

    /**
     * Applies the configuration in force if some of it has changed, or could not be applied last time.
     *
     * @return why some of it is not applied; empty when all of it is
     */
    private Optional<String> apply(List<Key> keys) {
        if (keys.isEmpty() && !incomplete) {
            return Optional.empty();
        }
        // Until it is known: also after an exception that is a bug.
        incomplete = true;
        try {
            change.apply(inForce);
            incomplete = false;
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // Some of it may be in force, so it is not refused.
            LOG.error("configuration cannot be applied, please report it", e);
            return Optional.of(bug(e));
        }
    }

    private static String bug(RuntimeException e) {
        return "a bug in dualstackd, please report it: " + e;
    }

    private void report(String what, Optional<String> problem, List<Key> restart) {
        String whole = what + problem.map(why -> ", but: " + why).orElse("");
        remember(problem.isEmpty(), whole, restart.stream().map(Reloading::name).toList());
        if (problem.isEmpty()) {
            LOG.info("configuration read again: {}", whole);
        } else {
            LOG.error("configuration read again: {}", whole);
        }
    }

    private void refused(List<String> problems) {
        problems.forEach(problem -> LOG.error("configuration refused: {} next=the-old-one-stays-in-force", problem));
        remember(
                false,
                "refused, the old one stays in force: " + String.join("; ", problems),
                last.map(StatusReport.Reload::restart).orElse(List.of()));
    }

    private void remember(boolean good, String what, List<String> restart) {
        last = Optional.of(new StatusReport.Reload(Instant.now(), good, what, restart));
    }

    private static String names(List<Key> keys) {
        return keys.stream().map(Reloading::name).collect(Collectors.joining(", "));
    }

    private static String name(Key key) {
        return key.path().isEmpty() ? key.flag() : key.path();
    }

    /** The result of the last reload; empty when there was none. */
    public Optional<StatusReport.Reload> last() {
        return last;
    }

    /** Waits for the end of a change that is being applied; no other one follows. */
    @Override
    public void close() {
        worker.stop();
        synchronized (this) {
            closed.countDown();
        }
        try {
            if (watcher.isPresent()) {
                watcher.get().close();
            }
        } catch (IOException e) {
            LOG.warn("configuration watch not closed reason=\"{}\"", e.toString());
        }
        worker.join();
    }
}
