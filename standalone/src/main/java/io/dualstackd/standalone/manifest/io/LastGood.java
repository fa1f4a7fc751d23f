package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.ObjectKey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of the manifests with the objects that are in force. A daemon that starts while a file is invalid uses its copy instead of
 * removing the Services of the file.
 *
 * <p>The copy of a file without error is the file. That of any other has the valid objects of the file, and those that stay in force from
 * earlier versions, whose texts are in the copy already.
 *
 * <p>The copies are not essential: a failure is logged once, and a copy that could not be made is made later.
 */
final class LastGood {
    private static final Logger LOG = LoggerFactory.getLogger("manifests");
    private static final int MAX_NAME = 200;

    /** The most copies in a row: each waits for the disk, and meanwhile no change of a manifest is seen. */
    static final int AT_ONCE = 100;

    private final @Nullable Path folder;
    private final Dialect dialect;
    private boolean complained;
    /** Files that have not been copied yet. */
    private final Map<Path, Version> owed = new HashMap<>();

    /**
     * A version of a file.
     *
     * @param fileIdentity its identity when it was checked
     * @param parts what the copy has; empty for the whole file
     */
    private record Version(FileIdentity fileIdentity, Optional<Parts> parts) {}

    /**
     * The objects in force of a file with an error.
     *
     * @param valid those that the file has
     * @param kept those of earlier versions
     */
    private record Parts(Set<ObjectKey> valid, Set<ObjectKey> kept) {
        static Parts of(Decoded decoded, Set<ObjectKey> inForce) {
            Set<ObjectKey> valid = keys(decoded);
            return new Parts(
                    valid,
                    inForce.stream().filter(key -> !valid.contains(key)).collect(Collectors.toUnmodifiableSet()));
        }
    }

    private LastGood(@Nullable Path folder, Dialect dialect) {
        this.folder = folder;
        this.dialect = dialect;
    }

    /** Keeps no copies. */
    static LastGood none() {
        return new LastGood(null, Dialect.STORED);
    }

    /** Keeps copies of the files of {@code manifests} below {@code state}. */
    static LastGood in(Path state, Path manifests, Dialect dialect) {
        String name = manifests
                .toAbsolutePath()
                .normalize()
                .toString()
                .replace("%", "%25")
                .replace('/', '%');
        String end = name.substring(Math.max(0, name.length() - MAX_NAME));
        return new LastGood(state.resolve("last-good").resolve(end), dialect);
    }

    /** Names of the files that have a copy. */
    Set<String> names() {
        Set<String> names = new HashSet<>();
        if (folder != null && Files.isDirectory(folder)) {
            try (DirectoryStream<Path> copies = Files.newDirectoryStream(folder)) {
                copies.forEach(copy -> names.add(String.valueOf(copy.getFileName())));
            } catch (IOException | DirectoryIteratorException e) {
                complain(e);
            }
        }
        return names;
    }

    /** Decodes the copy of {@code file}; empty when there is none. */
    Optional<Decoded> recall(String file) {
        if (folder == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ManifestFile(folder.resolve(file), dialect).decode());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            complain(e);
            return Optional.empty();
        }
    }

    /**
     * A file was read; {@link #copy} copies it, unless it has changed by then.
     *
     * @param inForce the objects that are in force as the file has them, or as it had them before
     */
    void remember(Path file, ManifestFile.Reading.Done done, Set<ObjectKey> inForce) {
        // Of a file that cannot be read, the same objects as before are in force.
        if (folder != null && !done.fileIdentity().equals(ManifestFile.UNKNOWN)) {
            Optional<Parts> parts = done.isGood() ? Optional.empty() : Optional.of(Parts.of(done.decoded(), inForce));
            owed.put(file, new Version(done.fileIdentity(), parts));
        }
    }

    private static Set<ObjectKey> keys(Decoded decoded) {
        return decoded.objects().stream()
                .map(locatedObject -> locatedObject.object().key())
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Copies the files that were read, also those that could not be copied before. To be called when their objects are in force: each
     * copy waits for the disk.
     *
     * @return false when there is more to copy than is done at once
     */
    boolean copy() {
        if (folder == null) {
            return true;
        }
        int copies = 0;
        for (Map.Entry<Path, Version> each : Map.copyOf(owed).entrySet()) {
            if (copies == AT_ONCE) {
                return false;
            }
            copies += copy(folder, each.getKey(), each.getValue()) ? 1 : 0;
        }
        return true;
    }

    /** Whether a copy was written: not if there is an equal one, or it failed. */
    private boolean copy(Path to, Path file, Version version) {
        owed.remove(file);
        Path name = file.getFileName();
        try {
            Path copy = to.resolve(name);
            if (version.parts().isEmpty() && Files.exists(copy) && Files.mismatch(file, copy) < 0) {
                return false;
            }
            // Manifests may hold confidential data.
            Files.createDirectories(
                    to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path temporary = to.resolve(FileName.of(".", String.valueOf(name), ""));
            boolean differs = write(temporary, file, version, copy);
            if (differs && FileIdentity.of(file).equals(version.fileIdentity())) {
                if (Files.size(temporary) == 0) {
                    // No object of the file is in force.
                    Files.deleteIfExists(copy);
                    Files.delete(temporary);
                    return true;
                }
                force(temporary);
                Files.move(temporary, copy, StandardCopyOption.ATOMIC_MOVE);
                return true;
            }
            Files.delete(temporary);
        } catch (NoSuchFileException e) {
            complain(e);
        } catch (IOException e) {
            owed.put(file, version);
            complain(e);
        }
        return false;
    }

    /** Writes what is to be the copy; returns whether that is another text than the one in {@code copy}. */
    private boolean write(Path temporary, Path file, Version version, Path copy) throws IOException {
        if (version.parts().isEmpty()) {
            Files.copy(file, temporary, StandardCopyOption.REPLACE_EXISTING);
            return true;
        }
        Parts parts = version.parts().get();
        boolean exists = Files.exists(copy);
        boolean enough = false;
        try (ManifestExcerpt excerpt = new ManifestExcerpt(temporary, dialect)) {
            if (exists) {
                Decoded before = excerpt.add(copy, parts.kept());
                // Nothing is new and nothing is gone: the text as it was written, with its comments, is better than one
                // without.
                enough = parts.valid().isEmpty() && keys(before).equals(parts.kept());
            }
            excerpt.add(file, parts.valid());
        }
        return !enough && !(exists && Files.mismatch(temporary, copy) < 0);
    }

    /** Otherwise the new name may be on disk before the content, and a copy from before a power failure would be empty. */
    private static void force(Path file) throws IOException {
        // For reading: the copy has the permissions of the manifest.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Gives the copy of a file to the new name of it. */
    void rename(String from, String to) {
        if (folder != null) {
            owed.keySet().removeIf(path -> String.valueOf(path.getFileName()).equals(from));
            try {
                Files.move(folder.resolve(from), folder.resolve(to), StandardCopyOption.ATOMIC_MOVE);
            } catch (NoSuchFileException e) {
                LOG.debug("no object of the file was in force", e);
            } catch (IOException e) {
                complain(e);
            }
        }
    }

    /** Deletes the copy of a file that was removed on purpose. */
    void forget(String file) {
        if (folder != null) {
            owed.keySet().removeIf(path -> String.valueOf(path.getFileName()).equals(file));
            try {
                Files.deleteIfExists(folder.resolve(file));
            } catch (IOException e) {
                complain(e);
            }
        }
    }

    /** Deletes the copies of files that were removed unnoticed. */
    void keepOnly(Set<String> files) {
        if (folder == null || !Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> copies = Files.newDirectoryStream(folder)) {
            for (Path copy : copies) {
                if (!files.contains(String.valueOf(copy.getFileName()))) {
                    Files.delete(copy);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            complain(e);
        }
    }

    private void complain(Exception e) {
        if (!complained) {
            LOG.warn(
                    "cannot keep copies of manifests folder={} reason=\"{}\" "
                            + "next=\"go on; a file that is broken at the next start will have no earlier version\"",
                    folder,
                    e.toString());
            complained = true;
        }
    }
}
