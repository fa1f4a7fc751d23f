package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.ConflictProblems;
import io.dualstackd.kubeapi.store.DestinationConflict;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.HolderFile;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.standalone.manifest.AdmissionStage;
import io.dualstackd.standalone.manifest.EndpointsMirror;
import io.dualstackd.standalone.manifest.ManifestIndex;
import io.dualstackd.standalone.manifest.Unused;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link Store} equal to the {@code *.yaml}, {@code *.yml} and {@code *.json} files of a folder.
 *
 * <p>Hidden files are skipped (editors and ConfigMap volumes keep their own there). An invalid file keeps its previous good version in
 * force, and so do all files while the folder cannot be listed. A problem is logged when it appears and when it is gone.
 *
 * <p>One thread of its own, {@code manifests}; it shares the lock of this object with the threads that change files by command. A scan of
 * all files reads their attributes, and the contents only of those that changed; when the kernel names the files that changed, only those
 * are looked at.
 */
public final class ManifestFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("manifests");
    /** The number of changed objects named in a line. */
    private static final int NAMED = 3;

    /** Receives the progress of reading. */
    public interface Progress {
        Progress UNWATCHED = new Progress() {
            @Override
            public void fileRead() {}

            @Override
            public void allRead() {}
        };

        /** One file has been read, or could not be read. */
        void fileRead();

        /** Every file has been read once; consumers are notified next. */
        void allRead();

        /**
         * What was read has been put in force.
         *
         * @param problems all that is wrong now, without conflicts
         * @param conflicts destinations that several Services name now, and each as a problem
         */
        default void applied(List<Problem> problems, Map<DestinationConflict, Problem> conflicts) {}
    }

    private final Path folder;
    private final Store store;
    private final Dialect dialect;
    private final AdmissionStage admissionStage;
    private final LastGood lastGood;
    private final Progress progress;
    private final HolderFile holders;
    private final ManifestIndex manifestIndex;
    private final FileIndex seen;
    private final ProblemLog problems = new ProblemLog();
    private final Set<String> moving = new HashSet<>();
    /** Changes of files that still have to be admitted: none between scans, unless the last one failed. */
    private final List<Update> toAdmit = new ArrayList<>();
    /** Likewise, changes that were admitted and still have to be put in force; those that the store could not take remain. */
    private final List<Update> toApply = new ArrayList<>();

    private boolean listed;
    private volatile Optional<String> unlisted = Optional.empty();
    private volatile boolean settled;
    /** The recorded claims as they are on disk. */
    private Map<String, String> remembered;

    private @Nullable FolderWatch watch;

    private ManifestFolder(
            Path folder,
            Store store,
            Optional<Path> state,
            Progress progress,
            Dialect dialect,
            AdmissionStage admissionStage) {
        this.progress = progress;
        this.folder = folder;
        this.store = store;
        this.lastGood = state.map(s -> LastGood.in(s, folder, dialect)).orElseGet(LastGood::none);
        this.holders = new HolderFile(state, HolderFile.NAMES);
        this.remembered = holders.read();
        this.manifestIndex = new ManifestIndex(remembered);
        this.dialect = dialect;
        this.admissionStage = new EndpointsMirror(admissionStage);
        this.seen = new FileIndex(folder);
    }

    /** Reads the folder once, on the calling thread, and does not watch it. */
    public static ManifestFolder unwatched(Path folder, Store store) {
        ManifestFolder manifests = new ManifestFolder(
                folder, store, Optional.empty(), Progress.UNWATCHED, Dialect.STORED, AdmissionStage.NONE);
        manifests.scan();
        return manifests;
    }

    /**
     * Reads the folder once, on the calling thread, then follows its changes until {@link #close}. A folder that does not exist yet is
     * waited for; the store stays unsynced until then.
     *
     * @param state where copies may be kept, so that a file which is broken at the next start has an earlier version
     * @param rescan how often to scan even without a notification of a change; needed for file systems without inotify
     * @param progress called on the folder's thread
     * @param dialect how to read the files
     * @param admissionStage decides which of the objects are put in force; used by one thread at a time
     * @param supervisor watches the thread
     */
    public static ManifestFolder watched(
            Path folder,
            Store store,
            Optional<Path> state,
            Duration rescan,
            Progress progress,
            Dialect dialect,
            AdmissionStage admissionStage,
            Supervisor supervisor) {
        ManifestFolder manifests = new ManifestFolder(folder, store, state, progress, dialect, admissionStage);
        FolderWatch watch = new FolderWatch(folder, manifests::scan, rescan, supervisor);
        manifests.watch = watch;
        watch.start();
        return manifests;
    }

    /** The commands that change files; may be used from any thread. */
    public ManifestCommands commands() {
        return new ManifestCommands(this, folder, dialect, manifestIndex, admissionStage, store);
    }

    /** Whole objects as they are written, for one request. May be called from any thread. */
    public Function<ObjectKey, Optional<Tree.Mapping>> texts() {
        return new ManifestTexts(folder, dialect, this::claim);
    }

    /** When the files of objects were last written, for one request. May be called from any thread. */
    public Function<ObjectKey, Optional<Instant>> since() {
        Map<String, Optional<Instant>> times = new HashMap<>();
        return key -> manifestIndex
                .find(key)
                .flatMap(claim -> times.computeIfAbsent(claim.place().file(), this::writtenAt));
    }

    private Optional<Instant> writtenAt(String file) {
        try {
            return Optional.of(Files.getLastModifiedTime(folder.resolve(file)).toInstant());
        } catch (IOException e) {
            // It was removed a moment ago.
            return Optional.empty();
        }
    }

    private synchronized Optional<LocatedObject> claim(ObjectKey key) {
        return manifestIndex.find(key);
    }

    /** The current problems. May be called from any thread. */
    public List<Problem> problems() {
        return problems.now();
    }

    /** Why the folder cannot be listed, so that nothing is known of changes; empty when it can. May be called from any thread. */
    public Optional<String> unlisted() {
        return unlisted;
    }

    /** Entries of the folder that are not read, although nothing is wrong with them. May be called from any thread. */
    public Unused unused() {
        return seen.unused();
    }

    /** Whether no file was being written at the last scan. May be called from any thread. */
    boolean settled() {
        return settled;
    }

    private boolean scan() {
        return scan(Optional.empty());
    }

    /**
     * Scans once: the entries of these names, or all. Files that were being written at the last scan are always included.
     *
     * @param names what changed; empty when that is not known
     * @return false when a file was being written, so that another scan is needed soon
     */
    synchronized boolean scan(Optional<Set<String>> names) {
        List<Path> files;
        Set<String> gone;
        try {
            if (listed && names.map(FileIndex::areFiles).orElse(false)) {
                gone = new TreeSet<>(seen.young());
                gone.addAll(moving);
                names.ifPresent(gone::addAll);
                gone.removeIf(name -> !FileIndex.isManifest(name));
                files = gone.stream().map(folder::resolve).toList();
            } else {
                files = inOrder(seen.list());
                gone = new TreeSet<>(seen.names());
            }
        } catch (IOException e) {
            listed = false;
            apply(admissionStage.admit(List.of()));
            String why = listingFailed(e);
            unlisted = Optional.of(why);
            updateProblems(List.of(Problem.error(Place.InFile.whole(folder.toString()), "", why)));
            return false;
        }
        listed = true;
        unlisted = Optional.empty();
        return scan(files, gone);
    }

    /** The order of reading. At the start, files that a daemon has read before come first, so that their claims precede those of new files. */
    private List<Path> inOrder(List<Path> files) {
        if (store.isSynced()) {
            return files;
        }
        Set<String> known = lastGood.names();
        return Stream.of(true, false)
                .flatMap(old ->
                        files.stream().filter(file -> old == known.contains(String.valueOf(file.getFileName()))))
                .toList();
    }

    /**
     * Looks at these files only. One that is not there counts as removed only if it is among {@code removed}: an editor may be about to
     * write it again.
     */
    synchronized void lookAt(Set<String> names, Set<String> removed) {
        Set<String> before = Set.copyOf(moving);
        scan(names.stream().sorted().map(folder::resolve).toList(), new TreeSet<>(removed));
        before.stream().filter(name -> !names.contains(name)).forEach(moving::add);
    }

    /** Names of the manifests that are there now. */
    Set<String> present() throws IOException {
        Set<String> names = new TreeSet<>();
        seen.list().forEach(file -> names.add(String.valueOf(file.getFileName())));
        return names;
    }

    /** Whether every file has been read once. */
    boolean isRead() {
        return store.isSynced();
    }

    /** @param gone names of files to drop unless they are found among {@code files} */
    private boolean scan(List<Path> files, Set<String> gone) {
        boolean absent = false;
        moving.clear();
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            if (seen.unchanged(file, name)) {
                gone.remove(name);
                continue;
            }
            switch (new ManifestFile(file, dialect).read()) {
                case ManifestFile.Reading.Done done -> {
                    gone.remove(name);
                    // Kept at once: also for the next scan, if this one fails with a later file.
                    toAdmit.addAll(changed(file, name, done, gone));
                    progress.fileRead();
                }
                case ManifestFile.Reading.Moving ignored -> {
                    gone.remove(name);
                    moving.add(name);
                }
                case ManifestFile.Reading.Absent ignored -> absent = true;
            }
        }
        boolean vanished = absent && !Files.isDirectory(folder);
        if (vanished) {
            // The files went with it, since it was listed or watched: the next scan finds that it cannot be listed.
            listed = false;
            gone.clear();
        }
        for (String name : gone) {
            if (seen.forget(name)) {
                lastGood.forget(name);
                toAdmit.addAll(manifestIndex.remove(name));
            }
        }
        boolean complete = moving.isEmpty() && !vanished;
        finish(complete);
        boolean copied = lastGood.copy();
        settled = complete && copied && seen.young().isEmpty();
        return settled;
    }

    /** @param gone names of files that have not been found in this scan yet */
    private List<Update> changed(Path file, String name, ManifestFile.Reading.Done done, Set<String> gone) {
        List<Update> updates = new ArrayList<>();
        if (!done.isGood() && !seen.knows(name)) {
            seen.formerName(done.fileIdentity(), gone)
                    .ifPresentOrElse(
                            former -> renamed(former, name),
                            () -> lastGood.recall(name).ifPresent(copy -> {
                                updates.addAll(manifestIndex.put(name, copy));
                                LOG.warn(
                                        "manifest is broken since before the start file={} next=\"use the copy of its last good version\"",
                                        name);
                            }));
        }
        updates.addAll(manifestIndex.put(name, done.decoded()));
        lastGood.remember(file, done, manifestIndex.claims(name));
        seen.remember(name, done.fileIdentity());
        return updates;
    }

    /** What is in force of a file with an error stays under its new name: it is in no text that could be read again. */
    private void renamed(String from, String to) {
        LOG.info("manifest with an error was renamed file={} was={} next=\"keep its last good version\"", to, from);
        manifestIndex.rename(from, to);
        lastGood.rename(from, to);
        boolean ignored = seen.forget(from);
    }

    /** @param more problems that are not known to the index, the admission stage or the store */
    private void updateProblems(List<Problem> more) {
        List<Problem> now = new ArrayList<>(manifestIndex.problems());
        now.addAll(admissionStage.problems(manifestIndex::find));
        toApply.forEach(update -> now.add(notInForce(update.key())));
        ConflictProblems words = new ConflictProblems(
                key -> manifestIndex.find(key).map(LocatedObject::place), Place.InFile.whole(folder.toString()));
        Map<DestinationConflict, Problem> conflicts = new LinkedHashMap<>();
        store.disputes()
                .forEach(conflict ->
                        conflicts.put(conflict, words.of(List.of(conflict)).getFirst()));
        List<Problem> all = new ArrayList<>(now);
        all.addAll(conflicts.values());
        all.addAll(more);
        problems.update(all);
        now.addAll(more);
        progress.applied(now, conflicts);
    }

    private Problem notInForce(ObjectKey key) {
        Place place = manifestIndex.find(key).map(LocatedObject::place).orElse(Place.InFile.whole(folder.toString()));
        return Problem.error(
                place, key.toString(), "cannot be put in force because of a bug, please report it; it is tried again");
    }

    private void finish(boolean complete) {
        toApply.addAll(admissionStage.admit(List.copyOf(toAdmit)));
        toAdmit.clear();
        if (complete || store.isSynced()) {
            toApply.addAll(admissionStage.retain(manifestIndex::mayHave));
        }
        apply(List.of());
        updateProblems(List.of());
        if (complete && !store.isSynced() && admissionStage.isReady()) {
            lastGood.keepOnly(seen.names());
            manifestIndex.started();
            progress.allRead();
            store.markSynced();
        }
        remember();
    }

    /** Records which files hold the objects that several claim, so that the next start restores the same claims. */
    private void remember() {
        if (store.isSynced()) {
            Map<String, String> now = manifestIndex.toRemember();
            if (!now.equals(remembered) && holders.write(now)) {
                remembered = now;
            }
        }
    }

    /** Removes objects that no file has. */
    synchronized void gone(List<ObjectKey> keys) {
        if (!keys.isEmpty()) {
            apply(admissionStage.admit(
                    keys.stream().<Update>map(Update.Gone::new).toList()));
            updateProblems(List.of());
        }
    }

    /** Puts these in force, behind those that still have to be. */
    private void apply(List<Update> updates) {
        toApply.addAll(updates);
        if (toApply.isEmpty()) {
            return;
        }
        List<Update> refused = put(toApply);
        List<Update> taken = new ArrayList<>(toApply);
        taken.removeAll(refused);
        toApply.clear();
        toApply.addAll(refused);
        if (!taken.isEmpty()) {
            LOG.info(
                    "manifests changed objects={} services={} slices={} changed=\"{}\"",
                    taken.size(),
                    store.size().services(),
                    store.size().slices(),
                    names(taken));
        }
    }

    /** Returns those that the store cannot take, which must not prevent the others; the last one of each object. */
    private List<Update> put(List<Update> updates) {
        try {
            store.apply(updates);
            return List.of();
        } catch (RuntimeException e) {
            LOG.error("manifests cannot be put in force together, please report it next=one-by-one", e);
        }
        Map<ObjectKey, Update> refused = new LinkedHashMap<>();
        for (Update update : updates) {
            refused.remove(update.key());
            try {
                store.apply(List.of(update));
            } catch (RuntimeException e) {
                LOG.error(
                        "object cannot be put in force, please report it object=\"{}\" next=try-again",
                        update.key(),
                        e);
                refused.put(update.key(), update);
            }
        }
        return List.copyOf(refused.values());
    }

    /** The first names, and how many others there are. */
    private static String names(List<Update> updates) {
        int more = updates.size() - NAMED;
        return updates.stream()
                        .limit(NAMED)
                        .map(update -> update.key() + (update instanceof Update.Gone ? " (gone)" : ""))
                        .collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    private String listingFailed(IOException e) {
        String why = switch (e) {
            case NoSuchFileException ignored -> "the folder does not exist";
            case NotDirectoryException ignored -> "this is not a folder";
            default -> "the folder cannot be listed: " + e.getMessage();
        };
        return why + (store.isSynced() ? "; what was read before stays in force" : "; waiting for it");
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
