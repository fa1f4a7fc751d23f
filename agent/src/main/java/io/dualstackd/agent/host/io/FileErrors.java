package io.dualstackd.agent.host.io;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;

/** Why a file cannot be read or written, in the words of the system. The JDK's message is often the path alone. */
final class FileErrors {
    private FileErrors() {}

    static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException ignored -> "Permission denied";
            case NotDirectoryException ignored -> "Not a directory";
            case NoSuchFileException gone -> gone.getFile() + ": No such file or directory";
            case FileSystemException failed when failed.getReason() != null -> failed.getReason();
            default -> Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
        };
    }
}
