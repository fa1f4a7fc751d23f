package io.dualstackd.pods.io;

import io.dualstackd.netlink.sys.BootId;
import io.dualstackd.pods.Pods;
import io.dualstackd.pods.SavedPods;
import io.dualstackd.pods.SavedPodsFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which a daemon saves the known pods for the next one: {@code pods} in the state directory.
 *
 * <p>The file is optional, so errors are logged once and otherwise ignored. It is moved into its place but not forced to disk: after a
 * crash of the machine it is not used.
 */
public final class SavedPodsFile {
    private static final Logger LOG = LoggerFactory.getLogger("pods");
    private static final String NAME = "pods";

    private final @Nullable Path file;
    private final Path proc;
    private boolean complained;

    private SavedPodsFile(@Nullable Path file, Path proc) {
        this.file = file;
        this.proc = proc;
    }

    /** Returns a file that saves nothing. */
    public static SavedPodsFile none() {
        return new SavedPodsFile(null, Path.of("/proc"));
    }

    public static SavedPodsFile in(Path state) {
        return in(state, Path.of("/proc"));
    }

    static SavedPodsFile in(Path state, Path proc) {
        return new SavedPodsFile(state.resolve(NAME), proc);
    }

    /**
     * Returns the pods last saved for this runtime since the machine was booted.
     *
     * @return with no sandbox visible when they were saved in another process namespace
     */
    Optional<SavedPods> recall(String runtime) {
        if (file == null) {
            return Optional.empty();
        }
        try {
            SavedPods last = SavedPodsFormat.read(Files.readAllBytes(file));
            if (!last.boot().equals(BootId.in(proc)) || !last.runtime().equals(runtime)) {
                return Optional.empty();
            }
            boolean sameNumbers = last.processNamespace().equals(processNamespace());
            return Optional.of(
                    sameNumbers ? last : new SavedPods(last.boot(), last.runtime(), "", last.pods(), Set.of()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn(
                    "last known pods cannot be read file={} reason=\"{}\" next=\"go on as if there were none\"",
                    file,
                    e instanceof IOException ? e.toString() : e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Saves the pods. Where that fails, those saved before are removed: the next daemon would take them for the present ones.
     *
     * @param visible ids of the sandboxes whose process is visible
     * @return false when it failed, so that it is to be tried again
     */
    boolean remember(String runtime, Pods pods, Set<String> visible) {
        if (file == null) {
            return true;
        }
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null && !Files.isDirectory(folder)) {
                Files.createDirectories(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Path temporary = file.resolveSibling("." + NAME);
            Files.write(
                    temporary,
                    SavedPodsFormat.write(new SavedPods(BootId.in(proc), runtime, processNamespace(), pods, visible)));
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            complained = false;
            return true;
        } catch (IOException e) {
            if (!complained) {
                LOG.warn(
                        "known pods cannot be saved file={} reason=\"{}\" "
                                + "next=\"try again; after a restart pods are unknown until the runtime answers\"",
                        file,
                        e.toString());
                complained = true;
            }
            forget();
            return false;
        }
    }

    private void forget() {
        try {
            if (file != null && Files.isRegularFile(file)) {
                Files.delete(file);
            }
        } catch (IOException e) {
            LOG.debug("pods saved before stay file={} reason=\"{}\"", file, e.toString());
        }
    }

    private String processNamespace() throws IOException {
        return Files.readSymbolicLink(proc.resolve("self/ns/pid")).toString();
    }
}
