package io.dualstackd.standalone.manifest.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;

/**
 * Identifies a version of a file: its location on disk, its size and its times. Links are followed.
 *
 * <p>The change time is included because a tool that preserves the modification time ({@code cp -p}, {@code rsync -t}) cannot set it.
 */
record FileIdentity(String where, long size, FileTime modified, FileTime changed, boolean regular) {
    static FileIdentity of(Path file) throws IOException {
        Map<String, Object> attributes =
                Files.readAttributes(file, "unix:dev,ino,size,lastModifiedTime,ctime,isRegularFile");
        return new FileIdentity(
                attributes.get("dev") + ":" + attributes.get("ino"),
                (Long) Objects.requireNonNull(attributes.get("size")),
                (FileTime) Objects.requireNonNull(attributes.get("lastModifiedTime")),
                (FileTime) Objects.requireNonNull(attributes.get("ctime")),
                (Boolean) Objects.requireNonNull(attributes.get("isRegularFile")));
    }

    /** Whether this may be the other file under another name: that changes the change time only. */
    boolean isSameContent(FileIdentity other) {
        return where.equals(other.where) && size == other.size && modified.equals(other.modified);
    }
}
