package io.dualstackd.agent.e2e;

import io.dualstackd.netlink.io.NftClient;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.netns.FreshNetNs;
import io.dualstackd.netlink.netns.NetNsCommands;
import io.dualstackd.netlink.sys.NetNs;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;

/** A network namespace, a folder of manifests, and the program to be run there. */
@Tag("kernel")
final class HostUnderTest implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 120;

    private final NetNs ns;
    private final Path folder;
    private final Launch launch;
    private final List<RunningDaemon> started = new ArrayList<>();

    private HostUnderTest(NetNs ns, Path folder, Launch launch) {
        this.ns = ns;
        this.folder = folder;
        this.launch = launch;
    }

    /** How a command of the program ended. */
    record Ended(int exitCode, String out, String err) {}

    static HostUnderTest in(Path folder) throws IOException {
        return in(folder, Launch.usual());
    }

    static HostUnderTest in(Path folder, Launch launch) throws IOException {
        Files.createDirectories(folder.resolve("manifests"));
        return new HostUnderTest(FreshNetNs.create(), folder, launch);
    }

    /** In a namespace that exists, which is closed at the end all the same. */
    static HostUnderTest of(NetNs ns, Path folder) throws IOException {
        Files.createDirectories(folder.resolve("manifests"));
        return new HostUnderTest(ns, folder, Launch.usual());
    }

    Path manifests() {
        return folder.resolve("manifests");
    }

    Path socket() {
        return folder.resolve("admin.sock");
    }

    /** What a daemon may write to. */
    Path state() {
        return folder.resolve("state");
    }

    NetNs ns() {
        return ns;
    }

    NetNsCommands commands() {
        return new NetNsCommands(ns);
    }

    /** Replaces a manifest in one step, as careful writers do. */
    void put(String name, String text) throws IOException {
        Path fresh = Files.writeString(manifests().resolve("." + name + ".new"), text);
        Files.move(fresh, manifests().resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    void delete(String name) throws IOException {
        Files.deleteIfExists(manifests().resolve(name));
    }

    /** {@code iptables-save} or {@code ip6tables-save}. */
    Listing listing(IpFamily family) throws Exception {
        return Listing.parse(commands().saved(family == IpFamily.IPV4 ? "iptables-save" : "ip6tables-save"));
    }

    /** The generation of the rule set, which every transaction of any program increments. */
    int generation() throws IOException {
        try (NftClient kernel = NftClient.open(ns)) {
            return kernel.generation().id();
        }
    }

    List<String> runArguments(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--standalone",
                "--manifests",
                manifests().toString(),
                "--admin-socket",
                socket().toString(),
                "--state-dir",
                state().toString(),
                "--hostname-override",
                "e2e-node",
                "--cluster-cidr",
                "10.244.0.0/16,fd00:10:244::/56"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    /** Starts the daemon; does not wait for anything. */
    RunningDaemon start(String... more) throws IOException {
        return startUnder(List.of(), more);
    }

    /** Starts the daemon under a program such as {@code strace}. */
    RunningDaemon startUnder(List<String> under, String... more) throws IOException {
        return startCommand(under, runArguments(more));
    }

    /** Starts any command of the program under another. */
    RunningDaemon startCommand(List<String> under, List<String> arguments) throws IOException {
        Path log = folder.resolve("daemon-" + started.size() + ".log");
        Process process = builder(under, arguments)
                .redirectOutput(log.toFile())
                .redirectErrorStream(true)
                .start();
        RunningDaemon daemon = new RunningDaemon(process, log);
        started.add(daemon);
        return daemon;
    }

    /** Runs a command of the program to its end. */
    Ended run(String... arguments) throws Exception {
        return runUnder(List.of(), List.of(arguments));
    }

    /** {@code dualstackd cleanup} for the daemon that {@link #start} starts. */
    Ended cleanup() throws Exception {
        return run(cleanupArguments().toArray(String[]::new));
    }

    List<String> cleanupArguments() {
        return List.of("cleanup", "--admin-socket", socket().toString(), "--state-dir", state().toString());
    }

    /** Runs a command of the program to its end, under a program such as {@code setpriv}. */
    Ended runUnder(List<String> under, List<String> arguments) throws Exception {
        File out = Files.createTempFile(folder, "out", "").toFile();
        File err = Files.createTempFile(folder, "err", "").toFile();
        Process process =
                builder(under, arguments).redirectOutput(out).redirectError(err).start();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(arguments + " does not end; so far: " + text(out) + text(err));
            }
            return new Ended(process.exitValue(), text(out), text(err));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static String text(File file) throws IOException {
        return Files.readString(file.toPath(), StandardCharsets.UTF_8);
    }

    private ProcessBuilder builder(List<String> under, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                "nsenter",
                "--net=/proc/" + ProcessHandle.current().pid() + "/fd/"
                        + ns.fd().number()));
        command.addAll(under);
        command.addAll(launch.command(arguments));
        return new ProcessBuilder(command);
    }

    @Override
    public void close() throws InterruptedException {
        for (RunningDaemon daemon : started) {
            daemon.kill();
        }
        ns.close();
    }
}
