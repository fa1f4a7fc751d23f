package io.dualstackd.agent.faults;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A running daemon, its output, and the resources it uses. */
final class ChildDaemon {
    private static final int KEPT_LINES = 3000;
    private static final String THREW = "fault-hook: threw ";

    private final Process process;
    private final List<String> asUser;
    private final BufferedWriter in;
    private final Deque<String> lines = new ArrayDeque<>();

    private final AtomicInteger timesThrown = new AtomicInteger();
    private volatile Optional<String> threw = Optional.empty();

    private ChildDaemon(Process process, List<String> asUser) {
        this.asUser = List.copyOf(asUser);
        this.process = process;
        this.in = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** @param asUser the beginning of a command that is run by the user who runs {@code command} */
    static ChildDaemon start(List<String> command, List<String> asUser, Path log) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        ChildDaemon daemon = new ChildDaemon(process, asUser);
        PrintWriter file = new PrintWriter(Files.newBufferedWriter(
                log, StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.WRITE));
        file.println("---- " + process.pid() + " starts");
        Thread.ofPlatform().daemon().name("daemon-log").start(() -> daemon.listen(file));
        return daemon;
    }

    private void listen(PrintWriter file) {
        try (file;
                BufferedReader reader =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                // Hundreds a second of the same kind, for hours.
                if (!line.contains(" INFO ") || !line.contains(" in force ")) {
                    file.println(line);
                    file.flush();
                }
                if (line.startsWith(THREW)) {
                    threw = Optional.of(line.substring(THREW.length()));
                    timesThrown.incrementAndGet();
                }
                synchronized (lines) {
                    lines.add(line);
                    if (lines.size() > KEPT_LINES) {
                        lines.remove();
                    }
                }
            }
            file.println("---- " + process.pid() + " ended with " + process.waitFor());
        } catch (IOException e) {
            // It has ended.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    boolean endsWithin(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    void kill() {
        process.destroyForcibly();
    }

    /** The last line of its output that matches. */
    Optional<String> lastLine(Predicate<String> like) {
        synchronized (lines) {
            return lines.reversed().stream().filter(like).findFirst();
        }
    }

    /** What it was made to throw last, and where. */
    Optional<String> threw() {
        return threw;
    }

    /** How often it was made to throw something. */
    int timesThrown() {
        return timesThrown.get();
    }

    /** Sends a command to the {@link io.dualstackd.agent.faults.hook.HookAgent}. */
    void send(String words) throws IOException {
        synchronized (in) {
            in.write(words);
            in.newLine();
            in.flush();
        }
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    /** The soft limit only, so that it can be given back. */
    void limitDescriptors(long limit) throws IOException, InterruptedException {
        limit("--nofile=" + limit + ":");
    }

    /** As {@link #limitDescriptors}; it binds a user who is not root. */
    void limitThreads(long limit) throws IOException, InterruptedException {
        limit("--nproc=" + limit + ":");
    }

    /** Processes of another user can be limited by that user only, unless one may everything. */
    private void limit(String what) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(asUser);
        all.addAll(List.of("prlimit", "--pid", Long.toString(pid()), what));
        Process prlimit = new ProcessBuilder(all).redirectErrorStream(true).start();
        String output = new String(prlimit.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (prlimit.waitFor() != 0 && isAlive()) {
            throw new IOException(String.join(" ", all) + ": " + output);
        }
    }

    int descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(pid()), "fd"))) {
            return (int) all.count();
        }
    }

    /** A number of {@code /proc/PID/status}: VmRSS in kB, Threads. */
    long figure(String name) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(pid()), "status"))
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0L);
    }
}
