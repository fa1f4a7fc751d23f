package io.dualstackd.kubeapi.access.io;

import io.dualstackd.kubeapi.access.AccessException;
import io.dualstackd.kubeapi.access.ClientCertificate;
import io.dualstackd.kubeapi.access.ClusterAccess;
import io.dualstackd.kubeapi.access.ExecConfig;
import io.dualstackd.kubeapi.access.ExecCredentialFormat;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A program that returns credentials, run when a kubeconfig requires it; this is the only program that the daemon ever starts. It is run
 * again when the credentials expire or the server rejects them.
 */
final class ExecPlugin implements UserCredentials.Header {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration STREAM_TIMEOUT = Duration.ofSeconds(5);
    private static final int LARGEST_ANSWER = 1 << 20;
    private static final int SHOWN = 500;

    private final ExecConfig config;
    private final ClusterAccess cluster;
    private final Map<String, String> environment;
    private final InstantSource clock;
    private ExecCredentialFormat.@Nullable Answer last;

    ExecPlugin(ExecConfig config, ClusterAccess cluster, Map<String, String> environment, InstantSource clock) {
        this.config = config;
        this.cluster = cluster;
        this.environment = environment;
        this.clock = clock;
    }

    @Override
    public Optional<String> authorization() throws IOException {
        return answer().token().map(token -> "Bearer " + token);
    }

    @Override
    public Optional<ClientCertificate> certificate() throws IOException {
        return answer().certificate();
    }

    @Override
    public synchronized void refused() {
        last = null;
    }

    private synchronized ExecCredentialFormat.Answer answer() throws IOException {
        ExecCredentialFormat.Answer known = last;
        if (known == null
                || known.expires().filter(at -> !at.isAfter(clock.instant())).isPresent()) {
            try {
                known = ExecCredentialFormat.answer(config, run());
            } catch (AccessException e) {
                throw new IOException(e.getMessage(), e);
            }
            // What has expired by this clock may be good by the server's, and is asked for again next time.
            boolean expired =
                    known.expires().filter(at -> !at.isAfter(clock.instant())).isPresent();
            last = expired ? null : known;
        }
        return known;
    }

    private String prefix() {
        return "exec plugin " + config.command() + ": ";
    }

    private String run() throws IOException {
        ProcessBuilder program = new ProcessBuilder();
        program.command().add(config.command());
        program.command().addAll(config.arguments());
        program.environment().clear();
        program.environment().putAll(environment);
        program.environment().putAll(config.environment());
        program.environment().put("KUBERNETES_EXEC_INFO", ExecCredentialFormat.question(config, cluster));
        program.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        Process process;
        try {
            process = program.start();
        } catch (IOException e) {
            String hint = config.installHint().isEmpty() ? "" : "\n" + config.installHint();
            throw new IOException(prefix() + "cannot be started: " + e.getMessage() + hint, e);
        }
        try {
            CompletableFuture<String> errors =
                    CompletableFuture.supplyAsync(() -> read(process.getErrorStream()), ExecPlugin::onThread);
            CompletableFuture<String> output =
                    CompletableFuture.supplyAsync(() -> read(process.getInputStream()), ExecPlugin::onThread);
            if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException(prefix() + "did not end within " + TIMEOUT.toSeconds() + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException(prefix() + "ended with " + process.exitValue() + ": " + shown(rest(errors)));
            }
            return rest(output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(prefix() + "interrupted while waiting for it", e);
        } finally {
            // Its children may hold its output open, and the threads that read it.
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Returns what the program printed. A child of the program may still hold the stream open; this does not wait for it. */
    private String rest(CompletableFuture<String> stream) throws IOException, InterruptedException {
        try {
            return stream.get(STREAM_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(prefix() + "ended, but its output did not", e);
        }
    }

    /** Reads a stream on a thread of its own. Both streams are read while the program runs: it would block when one is full. */
    private static void onThread(Runnable reading) {
        Thread.ofVirtual().name("exec-plugin").start(reading);
    }

    private static String read(InputStream stream) {
        try (stream) {
            byte[] bytes = stream.readNBytes(LARGEST_ANSWER);
            stream.transferTo(OutputStream.nullOutputStream());
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            // The program was killed; that is reported elsewhere.
            return "";
        }
    }

    private static String shown(String text) {
        String line = text.strip().replace('\n', ' ');
        return line.length() > SHOWN ? "…" + line.substring(line.length() - SHOWN) : line;
    }
}
