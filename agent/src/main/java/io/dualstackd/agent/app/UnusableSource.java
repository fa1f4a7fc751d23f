package io.dualstackd.agent.app;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;

/** Thrown when the configured source of objects does not exist or cannot be read; nothing was changed. */
public final class UnusableSource extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean named;

    UnusableSource(String message, Exception cause) {
        this(message, cause, true);
    }

    /** @param named whether the configuration names a source */
    UnusableSource(String message, Exception cause, boolean named) {
        super(message, cause);
        this.named = named;
    }

    /** Whether the configuration names a source, which may appear later: a kubeconfig that is written when the node joins. */
    public boolean isNamed() {
        return named;
    }

    /** Opens a folder of manifests. At the start of the daemon this must succeed; later the daemon waits for the folder. */
    static void requireFolder(Path folder) throws UnusableSource {
        // Opening it is enough: this checks the permission to list it.
        try (DirectoryStream<Path> ignored = Files.newDirectoryStream(folder)) {
            return;
        } catch (IOException e) {
            throw new UnusableSource(
                    "--manifests (dualstackd.manifests): \"" + folder + "\": " + why(e)
                            + "; it must be a readable folder, which may be empty",
                    e);
        }
    }

    private static String why(IOException e) {
        return switch (e) {
            case NoSuchFileException ignored -> "there is no such folder";
            case NotDirectoryException ignored -> "this is not a folder";
            case AccessDeniedException ignored -> "permission denied";
            default -> Objects.toString(e.getMessage(), e.getClass().getSimpleName());
        };
    }
}
