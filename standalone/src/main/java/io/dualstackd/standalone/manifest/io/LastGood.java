package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of the manifests as of their last version without error. A daemon that starts while a file is invalid uses its copy instead of
 * removing the Services of the file.
 *
 * <p>The copies are not essential: a failure is logged once, and a copy that could not be made is made later.
 */
final class LastGood {
    private static final Logger LOG = LoggerFactory.getLogger("manifests");
    private static final int MAX_NAME = 200;

    /** The most copies in a row: each waits for the disk, and meanwhile no change of a manifest is seen. */
    static final int AT_ONCE = 100;

    private final @Nullable Path folder;
    private boolean complained;
    /** Files that have not been copied yet, with their identities when they were checked. */
    private final Map<Path, FileIdentity> owed = new HashMap<>();

    private LastGood(@Nullable Path folder) {
        this.folder = folder;
    }

    /** Keeps no copies. */
    static LastGood none() {
        return new LastGood(null);
    }

    /** Keeps copies of the files of {@code manifests} below {@code state}. */
    static LastGood in(Path state, Path manifests) {
        String name = manifests
                .toAbsolutePath()
                .normalize()
                .toString()
                .replace("%", "%25")
                .replace('/', '%');
        String end = name.substring(Math.max(0, name.length() - MAX_NAME));
        return new LastGood(state.resolve("last-good").resolve(end));
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
    Optional<Decoded> recall(String file, Dialect dialect) {
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
     * A file is without error; {@link #copy} copies it.
     *
     * @param fileIdentity its identity when it was checked; a file that has changed since is not copied
     */
    void remember(Path file, FileIdentity fileIdentity) {
        if (folder != null) {
            owed.put(file, fileIdentity);
        }
    }

    /**
     * Copies the files that are without error, also those that could not be copied before. To be called when their objects are in force: each
     * copy waits for the disk.
     *
     * @return false when there is more to copy than is done at once
     */
    boolean copy() {
        if (folder == null) {
            return true;
        }
        int copies = 0;
        for (Map.Entry<Path, FileIdentity> each : Map.copyOf(owed).entrySet()) {
            if (copies == AT_ONCE) {
                return false;
            }
            copies += copy(folder, each.getKey(), each.getValue()) ? 1 : 0;
        }
        return true;
    }

    /** Whether a copy was written: not if there is an equal one, or it failed. */
    private boolean copy(Path to, Path file, FileIdentity fileIdentity) {
        owed.remove(file);
        Path name = file.getFileName();
        try {
            Path copy = to.resolve(name);
            if (Files.exists(copy) && Files.mismatch(file, copy) < 0) {
                return false;
            }
            // Manifests may hold confidential data.
            Files.createDirectories(
                    to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path temporary = to.resolve(FileName.of(".", String.valueOf(name), ""));
            Files.copy(file, temporary, StandardCopyOption.REPLACE_EXISTING);
            if (FileIdentity.of(file).equals(fileIdentity)) {
                force(temporary);
                Files.move(temporary, copy, StandardCopyOption.ATOMIC_MOVE);
                return true;
            }
            Files.delete(temporary);
        } catch (NoSuchFileException e) {
            complain(e);
        } catch (IOException e) {
            owed.put(file, fileIdentity);
            complain(e);
        }
        return false;
    }

    /** Otherwise the new name may be on disk before the content, and a copy from before a power failure would be empty. */
    private static void force(Path file) throws IOException {
        // For reading: the copy has the permissions of the manifest.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
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
