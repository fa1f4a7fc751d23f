package io.dualstackd.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Text for the terminal, and optionally for a file of {@code docs/bench}. */
public final class Report {
    private final StringBuilder text = new StringBuilder();

    /**
     * Creates a report with its first lines.
     *
     * @param title what is measured
     */
    public Report(String title, BenchOptions options) throws IOException {
        this(title, daemon(options) + options.command());
    }

    /** @param command the command that reproduces it */
    public Report(String title, String command) throws IOException {
        say("%s; kernel %s, %d cores, Java %s; made by: %s%n"
                .formatted(
                        title,
                        Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip(),
                        Runtime.getRuntime().availableProcessors(),
                        Runtime.version().feature(),
                        command));
    }

    /** Which daemon it is, if one is measured that is not the checkout's. */
    private static String daemon(BenchOptions options) {
        return options.what().startsDaemon() && System.getenv("DUALSTACKD_BENCH_PROGRAM") != null
                ? "an installed daemon (DUALSTACKD_BENCH_PROGRAM), "
                : "";
    }

    /** Prints the text now. */
    public void say(String words) {
        text.append(words);
        System.out.print(words);
        System.out.flush();
    }

    /** Prints progress to the terminal; not part of the report. */
    public static void progress(String words) {
        System.err.println("... " + words);
    }

    /** Writes the report so far to a file. */
    public void write(String name) throws IOException {
        Path folder = Path.of(System.getProperty("dualstackd.home", "."), "docs", "bench");
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(name), text.toString());
    }
}
