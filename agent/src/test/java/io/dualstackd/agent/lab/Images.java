package io.dualstackd.agent.lab;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The images of the laboratory, made of what this machine has: a pause program compiled here, and its static busybox. */
public final class Images {
    public static final String PAUSE = "lab.test/pause:1";
    public static final String BUSYBOX = "lab.test/busybox:1";

    private static final Path KEPT = Path.of("target", "lab");
    private static final Path BUSYBOX_PROGRAM = Path.of("/usr/bin/busybox");

    private Images() {}

    /** The static busybox of this machine. */
    public static Path busybox() {
        return Files.exists(BUSYBOX_PROGRAM) ? BUSYBOX_PROGRAM : Path.of("/bin/busybox");
    }

    /** The pause program, compiled when it was not yet. */
    public static synchronized Path pause() throws Exception {
        Path program = KEPT.resolve("pause").toAbsolutePath();
        if (!Files.exists(program)) {
            Files.createDirectories(KEPT);
            Path source = Files.createTempFile(KEPT, "pause", ".c");
            Path fresh = Files.createTempFile(KEPT, "pause", "");
            try (InputStream text = Images.class.getResourceAsStream("pause.c")) {
                Files.copy(Objects.requireNonNull(text), source, StandardCopyOption.REPLACE_EXISTING);
            }
            Process gcc = new ProcessBuilder("gcc", "-static", "-Os", "-s", "-o", fresh.toString(), source.toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (gcc.waitFor() != 0) {
                throw new IOException("gcc: " + output);
            }
            Files.delete(source);
            Files.move(fresh, program, StandardCopyOption.ATOMIC_MOVE);
        }
        return program;
    }

    /** Both images in one archive, as {@code docker save} writes them; made once per checkout. */
    public static synchronized Path archive() throws Exception {
        Path kept = KEPT.resolve("images.tar").toAbsolutePath();
        if (!Files.exists(kept)) {
            Path pause = pause();
            Path fresh = Files.createTempFile(KEPT, "images", ".tar");
            try (DockerArchive archive = DockerArchive.to(fresh)) {
                archive.image(
                        PAUSE,
                        List.of("/pause"),
                        Layer.in(KEPT).program("pause", pause).finished());
                archive.image(BUSYBOX, List.of("/bin/sh"), busyboxTree().finished());
            }
            Files.move(fresh, kept, StandardCopyOption.ATOMIC_MOVE);
        }
        return kept;
    }

    /** A root with busybox under each of its names. */
    public static Layer busyboxTree() throws Exception {
        Layer layer = Layer.in(KEPT);
        for (String folder : List.of("bin", "etc", "proc", "sys", "dev", "tmp", "www")) {
            layer.folder(folder);
        }
        layer.program("bin/busybox", busybox());
        for (String name : names()) {
            layer.link("bin/" + name, "busybox");
        }
        layer.text("etc/passwd", "root:x:0:0:root:/:/bin/sh\n");
        return layer;
    }

    private static List<String> names() throws Exception {
        Process list = new ProcessBuilder(busybox().toString(), "--list").start();
        String all = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        list.waitFor();
        List<String> names = new ArrayList<>(all.lines().toList());
        names.remove("busybox");
        return names;
    }
}
