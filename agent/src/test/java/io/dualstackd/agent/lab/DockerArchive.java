package io.dualstackd.agent.lab;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** An archive of images as {@code docker save} writes it, which {@code docker load} and {@code ctr images import} read. */
public final class DockerArchive implements AutoCloseable {
    private final TarArchiveOutputStream tar;
    private final List<String> manifest = new ArrayList<>();

    private DockerArchive(TarArchiveOutputStream tar) {
        this.tar = tar;
    }

    public static DockerArchive to(Path file) throws IOException {
        return new DockerArchive(
                new TarArchiveOutputStream(Files.newOutputStream(file), StandardCharsets.UTF_8.name()));
    }

    /**
     * Adds an image of one layer.
     *
     * @param layer an uncompressed tar, taken away
     */
    public void image(String name, List<String> entrypoint, Path layer) throws IOException {
        String digest = digest(layer);
        String config = """
                {"architecture": "%s", "os": "linux", "config": {"Entrypoint": [%s], "Env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]},
                 "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}, "history": []}
                """.formatted(
                        architecture(),
                        entrypoint.stream().map(word -> '"' + word + '"').collect(Collectors.joining(", ")),
                        digest);
        String configName = digest(config.getBytes(StandardCharsets.UTF_8)) + ".json";
        String layerName = digest + "/layer.tar";
        put(configName, config.getBytes(StandardCharsets.UTF_8));
        tar.putArchiveEntry(new TarArchiveEntry(layer, layerName));
        Files.copy(layer, tar);
        tar.closeArchiveEntry();
        Files.delete(layer);
        manifest.add("""
                {"Config": "%s", "RepoTags": ["%s"], "Layers": ["%s"]}""".formatted(configName, name, layerName));
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    }

    private static String digest(Path file) throws IOException {
        MessageDigest digest = sha256();
        byte[] part = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(part); read >= 0; read = in.read(part)) {
                digest.update(part, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String digest(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private void put(String name, byte[] bytes) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(bytes.length);
        tar.putArchiveEntry(entry);
        tar.write(bytes);
        tar.closeArchiveEntry();
    }

    @Override
    public void close() throws IOException {
        put("manifest.json", ("[" + String.join(",\n", manifest) + "]").getBytes(StandardCharsets.UTF_8));
        tar.close();
    }
}
