package io.dualstackd.standalone.manifest.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;

/**
 * What tells whether a file is still the same: where it lies on disk, its size and its times. Links are followed.
 *
 * <p>The change time is there because a tool that copies the modification time along ({@code cp -p}, {@code rsync -t}) cannot set it.
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
}
