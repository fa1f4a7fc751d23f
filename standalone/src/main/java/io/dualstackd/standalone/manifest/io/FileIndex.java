package io.dualstackd.standalone.manifest.io;

import io.dualstackd.standalone.manifest.Unused;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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

/** The manifests of a folder, with their identities when they were last read. Used by one thread at a time. */
final class FileIndex {
    /** A file changed within this time may change again without a visible change of its times. */
    private static final Duration YOUNG = Duration.ofMillis(100);

    private final Path folder;
    private final Map<String, FileIdentity> seen = new HashMap<>();
    private final Set<String> young = new HashSet<>();
    private volatile Unused unused = Unused.NONE;

    FileIndex(Path folder) {
        this.folder = folder;
    }

    /** The manifests that are there now, sorted. */
    List<Path> list() throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            List<Path> files = new ArrayList<>();
            TreeSet<String> others = new TreeSet<>();
            int more = 0;
            for (Path file : stream) {
                String name = String.valueOf(file.getFileName());
                // Neither a folder nor a pipe is ever read, so this asks the file system about new names only.
                if (isManifest(name) && (knows(name) || !Files.exists(file) || Files.isRegularFile(file))) {
                    files.add(file);
                } else if (!name.startsWith("..")) {
                    others.add(name);
                    if (others.size() > Unused.NAMED) {
                        others.removeLast();
                        more++;
                    }
                }
            }
            files.sort(null);
            unused = new Unused(
                    others.stream()
                            .map(name -> Unused.entry(name, Files.isDirectory(folder.resolve(name))))
                            .toList(),
                    more);
            return files;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /**
     * The other entries at the last listing, except those that volumes of Kubernetes make for themselves. May be called from any thread.
     */
    Unused unused() {
        return unused;
    }

    static boolean isManifest(String name) {
        return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"));
    }

    /**
     * Whether changes of these entries cannot change the content of others: a link through which files are reached, as in volumes of
     * Kubernetes, is no manifest, and if its name begins with a dot, it begins with two.
     */
    static boolean areFiles(Set<String> names) {
        return names.stream().allMatch(name -> isManifest(name) || (name.startsWith(".") && !name.startsWith("..")));
    }

    /** The names of the files that were read. */
    Set<String> names() {
        return Set.copyOf(seen.keySet());
    }

    boolean knows(String name) {
        return seen.containsKey(name);
    }

    /** The name among these under which the file was read, if it does not have that name any more. */
    Optional<String> formerName(FileIdentity file, Set<String> among) {
        return among.stream()
                .filter(name -> !file.equals(ManifestFile.UNKNOWN)
                        && Optional.ofNullable(seen.get(name))
                                .filter(file::isSameContent)
                                .isPresent()
                        && Files.notExists(folder.resolve(name), LinkOption.NOFOLLOW_LINKS))
                .findFirst();
    }

    /** The names of the files whose next change may not be visible in their times. */
    Set<String> young() {
        return Set.copyOf(young);
    }

    /** Whether the file is certainly unchanged since it was read. */
    boolean unchanged(Path file, String name) {
        FileIdentity known = seen.get(name);
        if (known == null || known.equals(ManifestFile.UNKNOWN) || young.contains(name)) {
            return false;
        }
        try {
            return FileIdentity.of(file).equals(known);
        } catch (IOException e) {
            return false;
        }
    }

    /** Records a file that was read. One that is too young for its times to show the next change is read once more, whatever they are. */
    void remember(String name, FileIdentity fileIdentity) {
        seen.put(name, fileIdentity);
        if (!isYoung(fileIdentity) || fileIdentity.equals(ManifestFile.UNKNOWN)) {
            young.remove(name);
        } else {
            young.add(name);
        }
    }

    /** Whether the file was changed a moment ago. */
    static boolean isYoung(FileIdentity file) {
        return Math.abs(System.currentTimeMillis() - file.changed().toMillis()) <= YOUNG.toMillis();
    }

    /** Removes a file from the index; returns whether it had been read. */
    boolean forget(String name) {
        young.remove(name);
        return seen.remove(name) != null;
    }
}
