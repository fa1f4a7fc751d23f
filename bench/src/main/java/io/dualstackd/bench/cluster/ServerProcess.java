package io.dualstackd.bench.cluster;

import io.dualstackd.bench.measure.FreshJvm;
import io.dualstackd.netlink.sys.NetNs;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** The process of the {@link SimulatedServer}, and the kubeconfig for it. */
final class ServerProcess implements AutoCloseable {
    private static final int PORT = 6443;
    private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");

    private final Process process;
    private final BufferedWriter in;
    private final BufferedReader out;
    private final Path kubeconfig;

    private ServerProcess(Process process, Path kubeconfig) {
        this.process = process;
        this.kubeconfig = kubeconfig;
        this.in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts it in {@code ns}, and waits until it listens. */
    static ServerProcess start(NetNs ns, int services, Path scratch) throws Exception {
        Path keys = scratch.resolve("server.p12");
        Path certificate = scratch.resolve("ca.pem");
        if (Files.notExists(certificate)) {
            keytool(keys, "-genkeypair -keyalg EC -dname CN=api -ext san=ip:127.0.0.1 -validity 2");
            keytool(keys, "-exportcert -rfc -file " + certificate);
        }
        Path kubeconfig = Files.writeString(scratch.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: bench
                contexts: [{name: bench, context: {cluster: bench, user: bench}}]
                users: [{name: bench, user: {token: bench}}]
                clusters:
                - name: bench
                  cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}
                """.formatted(
                        PORT, Base64.getEncoder().encodeToString(Files.readAllBytes(certificate))));
        // The daemon's JVM flags are not for this process.
        List<String> command = List.of(
                FreshJvm.command().getFirst(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                // Without this the last bytes of a change may be delayed until an acknowledgement.
                "-Dsun.net.httpserver.nodelay=true",
                "-cp",
                System.getProperty("java.class.path"),
                "io.dualstackd.bench.Bench",
                "child",
                SimulatedServer.CHILD,
                Integer.toString(PORT),
                Integer.toString(services),
                keys.toString());
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        ServerProcess server = new ServerProcess(ns.call(builder::start), kubeconfig);
        server.expect("listening");
        server.compileWhenIdle();
        return server;
    }

    /**
     * Lets the server's compiler have only processor time that nobody else wants ({@code SCHED_IDLE}): a real server has compiled code, and
     * the scheduler makes threads of the daemon wait up to 4 ms for a thread that compiles.
     */
    private void compileWhenIdle() throws IOException, InterruptedException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + process.pid() + "/task"))) {
            for (Path task : tasks) {
                if (COMPILER.matcher(Files.readString(task.resolve("comm"))).lookingAt()) {
                    String thread = task.getFileName().toString();
                    Process chrt = new ProcessBuilder("chrt", "--idle", "--pid", "0", thread)
                            .inheritIO()
                            .start();
                    if (chrt.waitFor() != 0) {
                        throw new IOException("chrt could not change the server's compiler thread " + thread);
                    }
                }
            }
        }
    }

    /** @param arguments without blanks in them */
    private static void keytool(Path keys, String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments.split(" ", -1)));
        command.addAll(List.of("-alias", "api", "-keystore", keys.toString()));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", new String(SimulatedServer.PASSWORD)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool: " + output);
        }
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    void tell(String words) throws IOException {
        in.write(words);
        in.newLine();
        in.flush();
    }

    /** Waits for a line with this beginning, and returns it. */
    String expect(String beginning) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(beginning)) {
                return line;
            }
        }
        throw new IOException("the server ended before it printed \"" + beginning + "\"");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        in.close();
        process.destroy();
        process.waitFor();
    }
}
