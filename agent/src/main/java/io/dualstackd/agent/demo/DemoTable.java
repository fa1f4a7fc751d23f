package io.dualstackd.agent.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The results of the demo as a table. */
final class DemoTable {
    private static final List<String> HEAD = List.of(
            "SERVICE", "ADDRESS", "KIND", "FAMILY", "FROM", "ANSWERED", "SPREAD OVER ENDPOINTS", "SOURCE SEEN", "TIME");

    private DemoTable() {}

    static String print(List<DemoProbe.Result> results) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        results.forEach(result -> rows.add(row(result)));
        int[] widths = IntStream.range(0, HEAD.size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        StringBuilder text = new StringBuilder();
        String last = "";
        for (List<String> row : rows) {
            if (!last.isEmpty()
                    && !last.equals(HEAD.getFirst())
                    && !row.getFirst().equals(last)) {
                text.append('\n');
            }
            last = row.getFirst();
            text.append(IntStream.range(0, row.size())
                            .mapToObj(i -> row.get(i)
                                    + " ".repeat(widths[i] - row.get(i).length()))
                            .collect(Collectors.joining("  "))
                            .stripTrailing())
                    .append('\n');
        }
        return text.toString();
    }

    private static List<String> row(DemoProbe.Result result) {
        DemoProbe probe = result.probe();
        return List.of(
                probe.service(),
                probe.destination() + "/" + probe.proto(),
                probe.kind(),
                probe.destination().ip().family().toString(),
                probe.from(),
                (result.allAnswered() ? "✔ " : "✘ ") + result.answered() + "/" + result.requests(),
                result.firstError().isEmpty() ? DemoProbe.spread(result) : result.firstError(),
                String.join(" ", result.sources()),
                result.medianMicros() == 0 ? "-" : "%.1f ms".formatted(result.medianMicros() / 1000.0));
    }
}
