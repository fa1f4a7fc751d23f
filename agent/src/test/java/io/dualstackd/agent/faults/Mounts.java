package io.dualstackd.agent.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A mount namespace in which a folder is a small file system of its own, that can be filled and made read-only. A shell holds it, and ends
 * when its standard input does, so nothing is left of it when this process is killed.
 */
public final class Mounts implements AutoCloseable {
    private final Process holder;
    private final Path folder;

    private Mounts(Process holder, Path folder) {
        this.holder = holder;
        this.folder = folder;
    }

    public static Mounts over(Path folder) throws IOException {
        Process holder = new ProcessBuilder(
                        "unshare",
                        "--mount",
                        "--propagation",
                        "private",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o size=4m small \"$1\" && echo ready && exec cat",
                        "sh",
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        BufferedReader output = holder.inputReader(StandardCharsets.UTF_8);
        String first = output.readLine();
        if (!"ready".equals(first)) {
            throw new IOException("no mount namespace with a file system over " + folder + ": " + first);
        }
        return new Mounts(holder, folder);
    }

    public long pid() {
        return holder.pid();
    }

    public void readOnly(boolean on) throws Exception {
        inside("mount", "-o", "remount," + (on ? "ro" : "rw"), folder.toString());
    }

    public void full(boolean on) throws Exception {
        inside(
                "sh",
                "-c",
                on ? "dd if=/dev/zero of=\"$1/.filled\" bs=64k 2>/dev/null || true" : "rm -f \"$1/.filled\"",
                "sh",
                folder.toString());
    }

    private void inside(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("nsenter", "--mount=/proc/" + pid() + "/ns/mnt"));
        all.addAll(List.of(command));
        Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
    }

    @Override
    public void close() throws Exception {
        holder.getOutputStream().close();
        holder.waitFor();
    }
}
