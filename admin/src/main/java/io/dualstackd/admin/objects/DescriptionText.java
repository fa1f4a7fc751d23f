package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.print.TextTable;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The lines of a description, as {@code kubectl describe} prints them. */
final class DescriptionText {
    private static final String NONE = "<none>";
    /** The least length of the rule under a heading. */
    private static final int RULE = 4;
    /** A cell that stays empty. */
    static final String BLANK = " ";

    private final int width;
    private final StringBuilder text = new StringBuilder();

    /** @param width of the column of names */
    DescriptionText(int width) {
        this.width = width;
    }

    /** A value behind its name; only the value when the name is empty. */
    void line(String name, String value) {
        String head = name.isEmpty() ? "" : name + ":";
        text.append((head + " ".repeat(Math.max(1, width - head.length())) + value).stripTrailing())
                .append('\n');
    }

    void line(String name, List<String> values) {
        line(name, values.isEmpty() ? NONE : String.join(",", values));
    }

    void unlessEmpty(String name, String value) {
        if (!value.isEmpty()) {
            line(name, value);
        }
    }

    /** Lines as they are. */
    void plain(String lines) {
        text.append(lines);
    }

    /** The labels of an object, one in each line. */
    void labels(KnownObject object) {
        pairs("Labels", object, "labels", "=");
    }

    /** The annotations of an object, one in each line. */
    void annotations(KnownObject object) {
        pairs("Annotations", object, "annotations", ": ");
    }

    private void pairs(String title, KnownObject object, String field, String between) {
        List<String> pairs = object.at("metadata", field)
                .map(value -> value instanceof Tree.Mapping(Map<String, Tree> entries, int _, var _)
                        ? entries.entrySet().stream()
                                .map(entry ->
                                        Problem.shown(entry.getKey() + between + KnownObject.word(entry.getValue())))
                                .toList()
                        : List.<String>of())
                .orElse(List.of());
        line(title, pairs.isEmpty() ? NONE : pairs.getFirst());
        pairs.stream().skip(1).forEach(pair -> line("", pair));
    }

    /** A table below its title, with a rule under the headings. */
    void table(String title, List<String> headings, List<List<String>> rows, String indent) {
        if (rows.isEmpty()) {
            line(title, NONE);
            return;
        }
        List<List<String>> all = new ArrayList<>();
        all.add(headings);
        all.add(headings.stream()
                .map(word -> "-".repeat(Math.max(RULE, word.length())))
                .toList());
        all.addAll(rows);
        text.append(title).append(":\n");
        TextTable.print(all)
                .lines()
                .forEach(row -> text.append(indent).append(row).append('\n'));
    }

    /** The events about an object. */
    void events(ObjectsReport report, ObjectKind kind, String namespace, String name) {
        Columns columns = new Columns(false, report.madeAt());
        List<List<String>> rows = report.all(ObjectKind.EVENTS).stream()
                .filter(event -> event.text("involvedObject", "kind").equals(kind.toString())
                        && event.text("involvedObject", "namespace").equals(namespace)
                        && event.text("involvedObject", "name").equals(name))
                .map(event -> List.of(
                        event.text("type"),
                        event.text("reason"),
                        columns.lastSeen(event),
                        event.text("source", "component"),
                        event.text("message")))
                .toList();
        table("Events", List.of("Type", "Reason", "Age", "From", "Message"), rows, "  ");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
