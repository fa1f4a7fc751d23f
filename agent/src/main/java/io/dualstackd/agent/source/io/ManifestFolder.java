package io.dualstackd.agent.source.io;

import io.dualstackd.agent.source.Claims;
import io.dualstackd.agent.source.Update;
import io.dualstackd.agent.tree.Place;
import io.dualstackd.agent.tree.Problem;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link Store} equal to the {@code *.yaml}, {@code *.yml} and {@code *.json} files of a folder.
 *
 * <p>Hidden files are skipped (editors and ConfigMap volumes keep their own there). A file that is wrong keeps its previous good
 * version in force; so does the whole folder while it cannot be listed. A problem is logged when it appears and when it is gone.
 *
 * <p>One thread of its own, {@code manifests}. A look at all files asks for their attributes, and reads only those that changed;
 * when the kernel names the files that changed, no other is looked at.
 */
public final class ManifestFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("manifests");

    /** A file changed so recently may change again without its times telling. */
    private static final Duration YOUNG = Duration.ofMillis(100);

    /** Wants to know how far the reading is. */
    public interface Progress {
        Progress UNWATCHED = new Progress() {
            @Override
            public void fileRead() {}

            @Override
            public void allRead() {}
        };

        /** One file has been read, or tried. */
        void fileRead();

        /** Every file has been read once; next, consumers are told. */
        void allRead();
    }

    private final Path folder;
    private final Store store;
    private final LastGood lastGood;
    private final Progress progress;
    private final Claims claims = new Claims();
    private final Map<String, Stamp> seen = new HashMap<>();
    private final Set<String> young = new HashSet<>();
    private final Set<String> moving = new HashSet<>();
    private boolean listed;
    private volatile boolean settled;
    private volatile List<Problem> problems = List.of();
    private @Nullable FolderWatch watch;

    private ManifestFolder(Path folder, Store store, LastGood lastGood, Progress progress) {
        this.progress = progress;
        this.folder = folder;
        this.store = store;
        this.lastGood = lastGood;
    }

    /** Reads the folder once, on the calling thread, and nothing more. */
    public static ManifestFolder unwatched(Path folder, Store store) {
        ManifestFolder manifests = new ManifestFolder(folder, store, LastGood.none(), Progress.UNWATCHED);
        manifests.scan();
        return manifests;
    }

    /**
     * Reads the folder once, on the calling thread, then follows its changes until {@link #close}. A folder that does not exist yet is
     * waited for; the store stays unsynced until then.
     *
     * @param state where copies may be kept, so that a file which is broken at the next start has an earlier version
     * @param rescan how often to look even if nobody said that something changed; the safety net for file systems without inotify
     * @param progress told on the folder's thread
     * @throws IOException when the kernel offers no more watches
     */
    public static ManifestFolder watched(
            Path folder, Store store, Optional<Path> state, Duration rescan, Progress progress) throws IOException {
        ManifestFolder manifests = new ManifestFolder(
                folder, store, state.map(s -> LastGood.in(s, folder)).orElseGet(LastGood::none), progress);
        FolderWatch watch = new FolderWatch(folder, manifests::scan, rescan);
        manifests.watch = watch;
        watch.start();
        return manifests;
    }

    /** What is wrong now. Any thread may ask. */
    public List<Problem> problems() {
        return problems;
    }

    /** Whether nothing was being written when it was last looked at. Any thread may ask. */
    boolean settled() {
        return settled;
    }

    private boolean scan() {
        return scan(Optional.empty());
    }

    /**
     * Looks once: at the entries of these names, or at all. Those that were just being written the last time are looked at anyway.
     *
     * @param names what changed; empty when that is not known
     * @return false when something was just being written, so that another look is needed soon
     */
    boolean scan(Optional<Set<String>> names) {
        List<Path> files;
        Set<String> gone;
        try {
            if (listed && names.map(ManifestFolder::areFiles).orElse(false)) {
                gone = new TreeSet<>(young);
                gone.addAll(moving);
                names.ifPresent(gone::addAll);
                gone.removeIf(name -> !isManifest(name));
                files = gone.stream().map(folder::resolve).toList();
            } else {
                files = list();
                gone = new TreeSet<>(seen.keySet());
            }
        } catch (IOException e) {
            listed = false;
            List<Problem> now = new ArrayList<>(claims.problems());
            now.add(Problem.error(Place.InFile.whole(folder.toString()), "", listingFailed(e)));
            tell(now);
            return false;
        }
        listed = true;
        return look(files, gone);
    }

    /** @param gone names of files to be forgotten unless they are found among {@code files} */
    private boolean look(List<Path> files, Set<String> gone) {
        List<Update> updates = new ArrayList<>();
        moving.clear();
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            if (unchanged(file, name)) {
                gone.remove(name);
                continue;
            }
            switch (new ManifestFile(file).read()) {
                case ManifestFile.Reading.Done done -> {
                    gone.remove(name);
                    updates.addAll(changed(file, name, done));
                    progress.fileRead();
                }
                case ManifestFile.Reading.Moving ignored -> {
                    gone.remove(name);
                    moving.add(name);
                }
                case ManifestFile.Reading.Absent ignored -> {}
            }
        }
        for (String name : gone) {
            young.remove(name);
            if (seen.remove(name) != null) {
                lastGood.forget(name);
                updates.addAll(claims.remove(name));
            }
        }
        finish(updates, moving.isEmpty());
        settled = moving.isEmpty() && young.isEmpty();
        return settled;
    }

    /**
     * Whether changes of these entries cannot change what others hold: a link through which files are reached, as volumes of Kubernetes
     * have them, is no manifest, and its name begins with two dots if with any.
     */
    private static boolean areFiles(Set<String> names) {
        return names.stream().allMatch(name -> isManifest(name) || (name.startsWith(".") && !name.startsWith("..")));
    }

    private List<Update> changed(Path file, String name, ManifestFile.Reading.Done done) {
        List<Update> updates = new ArrayList<>();
        if (done.isGood()) {
            lastGood.remember(file, done.stamp());
        } else if (!seen.containsKey(name)) {
            lastGood.recall(name).ifPresent(copy -> {
                updates.addAll(claims.put(name, copy));
                LOG.warn(
                        "manifest is broken since before the start file={} next=\"use the copy of its last good version\"",
                        name);
            });
        }
        updates.addAll(claims.put(name, done.decoded()));
        seen.put(name, done.stamp());
        remember(name, done.stamp());
        return updates;
    }

    private void finish(List<Update> updates, boolean complete) {
        tell(claims.problems());
        if (!updates.isEmpty()) {
            store.apply(updates);
            LOG.info(
                    "manifests changed objects={} services={} slices={}",
                    updates.size(),
                    store.size().services(),
                    store.size().slices());
        }
        if (complete && !store.isSynced()) {
            lastGood.keepOnly(seen.keySet());
            progress.allRead();
            store.markSynced();
        }
    }

    private List<Path> list() throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, ManifestFolder::isManifest)) {
            List<Path> files = new ArrayList<>();
            stream.forEach(files::add);
            files.sort(null);
            return files;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static boolean isManifest(Path file) {
        return isManifest(String.valueOf(file.getFileName()));
    }

    private static boolean isManifest(String name) {
        return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"));
    }

    private boolean unchanged(Path file, String name) {
        Stamp known = seen.get(name);
        if (known == null || known.equals(ManifestFile.UNKNOWN) || young.contains(name)) {
            return false;
        }
        try {
            return Stamp.of(file).equals(known);
        } catch (IOException e) {
            return false;
        }
    }

    /** A file that is too young for its times to tell the next change is read once more, whatever they say. */
    private void remember(String name, Stamp stamp) {
        long age = System.currentTimeMillis() - stamp.changed().toMillis();
        if (Math.abs(age) > YOUNG.toMillis() || stamp.equals(ManifestFile.UNKNOWN)) {
            young.remove(name);
        } else {
            young.add(name);
        }
    }

    private String listingFailed(IOException e) {
        String why = switch (e) {
            case NoSuchFileException ignored -> "the folder does not exist";
            case NotDirectoryException ignored -> "this is not a folder";
            default -> "the folder cannot be listed: " + e.getMessage();
        };
        return why + (store.isSynced() ? "; what was read before stays in force" : "; waiting for it");
    }

    private void tell(List<Problem> now) {
        Set<Problem> before = Set.copyOf(problems);
        Set<Problem> after = new HashSet<>(now);
        for (Problem problem : now) {
            if (before.contains(problem)) {
                continue;
            }
            if (problem.isError()) {
                LOG.error("manifest refused: {} next=\"an earlier good version, if any, stays in force\"", problem);
            } else {
                LOG.warn("manifest: {}", problem);
            }
        }
        problems.stream().filter(p -> !after.contains(p)).forEach(p -> LOG.info("manifest mended: {}", p));
        problems = List.copyOf(now);
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
