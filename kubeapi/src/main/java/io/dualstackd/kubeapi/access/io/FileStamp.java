package io.dualstackd.kubeapi.access.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** Distinguishes one content of a file from the next, also when a link is changed to another file. */
record FileStamp(FileTime modified, long size, String identity) {
    /** @throws IOException if the file does not exist or is not accessible */
    static FileStamp of(Path path) throws IOException {
        BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
        return new FileStamp(file.lastModifiedTime(), file.size(), String.valueOf(file.fileKey()));
    }
}
