package io.dualstackd.agent.lab;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** A tar of a root file system, all of it root's. Paths have no slash in front. */
public final class Layer {
    private static final int FOR_ALL_TO_RUN = 0100755;
    private static final int FOR_ALL_TO_READ = 0100644;

    private final Path file;
    private final TarArchiveOutputStream tar;

    private Layer(Path file, TarArchiveOutputStream tar) {
        this.file = file;
        this.tar = tar;
    }

    /** Kept in a new file in a folder. */
    static Layer in(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "layer", ".tar");
        TarArchiveOutputStream tar = new TarArchiveOutputStream(
                new BufferedOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8.name());
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        return new Layer(file, tar);
    }

    public Layer folder(String path) throws IOException {
        tar.putArchiveEntry(new TarArchiveEntry(path + "/"));
        tar.closeArchiveEntry();
        return this;
    }

    public Layer program(String path, Path from) throws IOException {
        return file(path, FOR_ALL_TO_RUN, Files.readAllBytes(from));
    }

    public Layer script(String path, String text) throws IOException {
        return file(path, FOR_ALL_TO_RUN, text.getBytes(StandardCharsets.UTF_8));
    }

    public Layer text(String path, String text) throws IOException {
        return file(path, FOR_ALL_TO_READ, text.getBytes(StandardCharsets.UTF_8));
    }

    public Layer link(String path, String target) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(path, TarConstants.LF_SYMLINK);
        entry.setLinkName(target);
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
        return this;
    }

    private Layer file(String path, int mode, byte[] content) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(path);
        entry.setMode(mode);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
        return this;
    }

    /** The finished tar; nothing can be added afterwards. */
    Path finished() throws IOException {
        tar.close();
        return file;
    }
}
