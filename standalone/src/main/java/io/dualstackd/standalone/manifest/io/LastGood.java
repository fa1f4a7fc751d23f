package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of the manifests as they were when they were last without error. A daemon that starts while a file is broken goes on with its
 * copy instead of taking the file's services away.
 *
 * <p>Not having copies is survivable, so trouble with them is logged once and otherwise ignored.
 */
final class LastGood {
    private static final Logger LOG = LoggerFactory.getLogger("manifests");
    private static final int MAX_NAME = 200;

    private final @Nullable Path folder;
    private boolean complained;

    private LastGood(@Nullable Path folder) {
        this.folder = folder;
    }

    /** Remembers nothing. */
    static LastGood none() {
        return new LastGood(null);
    }

    /** Copies of the files of {@code manifests}, somewhere below {@code state}. */
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

    /** What {@code file} said when it was last remembered. */
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
     * The file is without error.
     *
     * @param fileIdentity what it was like when that was found; a file that changed since is not copied
     */
    void remember(Path file, FileIdentity fileIdentity) {
        if (folder == null) {
            return;
        }
        Path name = file.getFileName();
        try {
            Path copy = folder.resolve(name);
            if (Files.exists(copy) && Files.mismatch(file, copy) < 0) {
                return;
            }
            // Manifests may hold what is nobody else's business.
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path fresh = folder.resolve("." + name);
            Files.copy(file, fresh, StandardCopyOption.REPLACE_EXISTING);
            if (FileIdentity.of(file).equals(fileIdentity)) {
                Files.move(fresh, copy, StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.delete(fresh);
            }
        } catch (IOException e) {
            complain(e);
        }
    }

    /** The file is gone, and this was meant. */
    void forget(String file) {
        if (folder != null) {
            try {
                Files.deleteIfExists(folder.resolve(file));
            } catch (IOException e) {
                complain(e);
            }
        }
    }

    /** Forgets files that went away while nobody looked. */
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
        } catch (IOException e) {
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
