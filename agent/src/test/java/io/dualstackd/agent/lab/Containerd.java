package io.dualstackd.agent.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The daemon, which can be stopped, killed and started again; its pods live on meanwhile. */
public final class Containerd {
    private final IsolatedHost isolatedHost;
    private final LabFolder folder;
    private final RuntimeVersion version;
    private @Nullable Process outer;

    Containerd(IsolatedHost isolatedHost, LabFolder folder, RuntimeVersion version) throws IOException {
        this.isolatedHost = isolatedHost;
        this.folder = folder;
        this.version = version;
        Files.createDirectory(cniFolder());
        Files.writeString(folder.resolve("containerd.toml"), config(socket(), cniFolder()));
    }

    /** Where it listens, whatever namespace one is in. */
    public Path socket() {
        return folder.resolve("containerd.sock");
    }

    public Path cniFolder() {
        return folder.resolve("cni");
    }

    /** Starts it; does not wait until it answers. */
    public void start() throws IOException {
        ProcessBuilder command = isolatedHost.command(List.of(
                "containerd", "--config", folder.resolve("containerd.toml").toString()));
        command.environment().put("PATH", version.path());
        outer = command.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    /** SIGTERM; returns when it is gone. */
    public void stop() throws InterruptedException {
        end(ProcessHandle::destroy);
    }

    /** SIGKILL; returns when it is gone. Its socket stays, but nothing listens on it. */
    public void kill() throws InterruptedException {
        end(ProcessHandle::destroyForcibly);
    }

    /** SIGSTOP: it is there, its socket accepts, and nothing is answered before {@link #thaw}. Returns when it is so. */
    public void freeze() throws IOException, InterruptedException {
        signal("STOP");
        if (outer != null) {
            for (ProcessHandle process : outer.toHandle().children().toList()) {
                while (isRunning(process.pid())) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    /** A busy thread takes notice of a signal some time after {@code kill} has returned. */
    private static boolean isRunning(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads.toList()) {
                if (state(thread) != 'T') {
                    return true;
                }
            }
        }
        return false;
    }

    private static char state(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            // It has just ended: dead, as proc(5) has it.
            return 'X';
        }
    }

    /** SIGCONT. */
    public void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** What stands between us and containerd stops itself when its child is stopped, so it is woken, too. */
    private void signal(String name) throws IOException, InterruptedException {
        if (outer != null) {
            List<ProcessHandle> processes =
                    new ArrayList<>(outer.toHandle().children().toList());
            if (name.equals("CONT")) {
                processes.addFirst(outer.toHandle());
            }
            for (ProcessHandle process : processes) {
                new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor();
            }
        }
    }

    private void end(Consumer<ProcessHandle> signal) throws InterruptedException {
        if (outer != null) {
            outer.toHandle().children().forEach(signal);
            outer.waitFor();
            outer = null;
        }
    }

    /** Runs {@code ctr}, its own client. */
    public String ctr(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("env", "PATH=" + version.path(), "ctr", "-a", socket().toString(), "-n", "k8s.io"));
        command.addAll(List.of(arguments));
        return isolatedHost.run(command.toArray(String[]::new));
    }

    /** Its output so far, for failures. */
    public String output() {
        try {
            return Files.readString(log(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "nothing: " + e;
        }
    }

    private Path log() {
        return folder.resolve("containerd.log");
    }

    /**
     * What it reads at start. Sandboxes may not change how likely the kernel kills them, which not every root may; AppArmor and the tracing plugins want
     * things a test machine lacks; and its own idea of a local address is 127.0.0.1, which not every node has.
     */
    static String config(Path socket, Path cniFolder) {
        return """
                version = 2
                root = "/run/lab/root"
                state = "/run/lab/state"
                disabled_plugins = [
                  "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs",
                  "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs",
                  "io.containerd.tracing.processor.v1.otlp", "io.containerd.internal.v1.tracing",
                ]
                [grpc]
                  address = "%s"
                [ttrpc]
                  address = "/run/lab/ttrpc.sock"
                [plugins."io.containerd.internal.v1.opt"]
                  path = "/run/lab/opt"
                [plugins."io.containerd.grpc.v1.cri"]
                  sandbox_image = "%s"
                  disable_apparmor = true
                  restrict_oom_score_adj = true
                  netns_mounts_under_state_dir = true
                  stream_server_address = "::1"
                  [plugins."io.containerd.grpc.v1.cri".cni]
                    bin_dir = "%s"
                    conf_dir = "%s"
                  [plugins."io.containerd.grpc.v1.cri".containerd]
                    snapshotter = "overlayfs"
                    default_runtime_name = "runc"
                    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
                      runtime_type = "io.containerd.runc.v2"
                      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
                        BinaryName = "runc"
                        Root = "/run/lab/runc"
                        SystemdCgroup = false
                """.formatted(socket, Images.PAUSE, cniPrograms(), cniFolder);
    }

    /** Where the distribution keeps them. */
    static Path cniPrograms() {
        for (Path folder : List.of(Path.of("/usr/lib/cni"), Path.of("/opt/cni/bin"))) {
            if (Files.isExecutable(folder.resolve("host-local"))) {
                return folder;
            }
        }
        throw new IllegalStateException("no CNI plugins: install the package containernetworking-plugins");
    }
}
