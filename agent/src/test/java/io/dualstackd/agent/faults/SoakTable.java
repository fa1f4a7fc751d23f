package io.dualstackd.agent.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a soak has seen, by kind of fault and over time. */
final class SoakTable {
    private final Map<String, Row> rows = new TreeMap<>();
    private final List<Sample> samples = new ArrayList<>();

    /**
     * One fault that came and went.
     *
     * @param threw where the daemon was made to throw something
     * @param back seconds from its end until all agreed
     */
    record Seen(
            Fault fault,
            double seconds,
            Oracle.Worst worst,
            String threw,
            double back,
            boolean agreed,
            int restarts,
            String note) {
        /** A divergence may be as long without a word about it. */
        static final double SILENT_SECONDS = 60;

        boolean good() {
            return agreed && worst.silent() <= SILENT_SECONDS && fault.isThrown() != threw.isEmpty();
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%-72s %5.1f s, divergence %5.1f s, silent %5.1f s, back after %5.1f s, restarts %d %s%s",
                    fault.name(),
                    seconds,
                    worst.lag(),
                    worst.silent(),
                    back,
                    restarts,
                    threw.isEmpty() ? fault.isThrown() ? "NEVER THROWN " : "" : "threw " + threw + " ",
                    agreed ? "" : "NOT BACK: " + note);
        }
    }

    /** What the daemon uses. */
    record Sample(int minute, long rssKb, int descriptors, long threads, int restarts, long pid) {}

    private static final class Row {
        private int times;
        private int thrown;
        private int failed;
        private double lag;
        private double silent;
        private double back;
        private int restarts;
        private String health = "";
        private String failure = "";
    }

    void add(Seen seen) {
        Row row = rows.computeIfAbsent(seen.fault().name(), name -> new Row());
        row.times++;
        row.thrown += seen.threw().isEmpty() ? 0 : 1;
        row.lag = Math.max(row.lag, seen.worst().lag());
        row.silent = Math.max(row.silent, seen.worst().silent());
        row.back = Math.max(row.back, seen.back());
        row.restarts += seen.restarts();
        if (!seen.worst().health().isEmpty()) {
            row.health = seen.worst().health();
        }
        if (!seen.good()) {
            row.failed++;
            row.failure = !seen.agreed()
                    ? seen.note()
                    : seen.fault().isThrown() && seen.threw().isEmpty()
                            ? "never thrown"
                            : "silent too long: " + seen.worst().what();
        }
    }

    void add(Sample sample) {
        samples.add(sample);
    }

    int failures() {
        return rows.values().stream().mapToInt(row -> row.failed).sum();
    }

    String text() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "| fault | times | longest divergence | of it silent | back after its end | restarts | reported health | failed |");
        line(text, "|---|--:|--:|--:|--:|--:|---|--:|");
        rows.forEach((name, row) -> line(
                text,
                String.format(
                        Locale.ROOT,
                        "| %s | %d | %.1f s | %.1f s | %.1f s | %d | %s | %s |",
                        name + (name.contains(" in ") ? " (thrown " + row.thrown + " times)" : ""),
                        row.times,
                        row.lag,
                        row.silent,
                        row.back,
                        row.restarts,
                        cell(row.health),
                        row.failed == 0 ? "0" : row.failed + ": " + cell(row.failure))));
        line(text, "");
        line(text, "| minute | resident | descriptors | threads | restarts so far |");
        line(text, "|--:|--:|--:|--:|--:|");
        int step = Math.max(1, samples.size() / 25);
        for (int i = 0; i < samples.size(); i += step) {
            Sample sample = samples.get(i);
            line(
                    text,
                    String.format(
                            Locale.ROOT,
                            "| %d | %.1f MB | %d | %d | %d |",
                            sample.minute(),
                            sample.rssKb() / 1024.0,
                            sample.descriptors(),
                            sample.threads(),
                            sample.restarts()));
        }
        return text.toString();
    }

    private static String cell(String health) {
        String flat = health.replace('|', '/').replace('\n', ' ');
        return flat.length() > 160 ? flat.substring(0, 160) + "…" : flat;
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }
}
