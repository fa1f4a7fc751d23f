package io.dualstackd.agent.admin.objects;

import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.print.TextTable;
import io.dualstackd.kubeapi.print.YamlPrint;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A {@code get} request.
 *
 * @param namespace empty for all of them
 * @param name empty for all objects
 */
public record Listing(ObjectKind kind, Format format, Optional<String> namespace, Optional<String> name) {
    /** How objects are shown. */
    public enum Format {
        TEXT,
        WIDE,
        NAME,
        JSON,
        YAML
    }

    /** The result of a request. */
    public sealed interface Said {
        /** The text to print; empty when there is nothing and no name was given. */
        record Text(String text) implements Said {}

        /** The requested object does not exist. */
        record Missing() implements Said {}

        /** The object exists but cannot be printed in this format. */
        record Refused(String why) implements Said {}
    }

    /** Answers the request from the objects in force. */
    public Said of(ObjectsReport report) {
        try {
            return said(report);
        } catch (WholeObjects.Incomplete e) {
            return new Said.Refused(String.valueOf(e.getMessage()));
        }
    }

    private Said said(ObjectsReport report) throws WholeObjects.Incomplete {
        List<KnownObject> found = report.all(kind).stream()
                .filter(object -> !kind.namespaced()
                        || namespace.isEmpty()
                        || namespace.get().equals(object.namespace()))
                .filter(object -> name.isEmpty() || name.get().equals(object.name()))
                .toList();
        if (name.isPresent() && found.isEmpty()) {
            return new Said.Missing();
        }
        return new Said.Text(
                switch (format) {
                    case TEXT -> table(new Columns(false, report.madeAt()), found);
                    case WIDE -> table(new Columns(true, report.madeAt()), found);
                    case NAME ->
                        found.stream()
                                .map(object -> kind.resource() + "/" + object.name() + "\n")
                                .collect(Collectors.joining());
                    case JSON -> JsonPrint.indented(shown(report, found));
                    case YAML -> YamlPrint.of(shown(report, found));
                });
    }

    private String table(Columns columns, List<KnownObject> found) {
        if (found.isEmpty()) {
            return "";
        }
        boolean namespaces = kind.namespaced() && namespace.isEmpty();
        List<List<String>> rows = new ArrayList<>();
        rows.add(namespaces ? before("NAMESPACE", columns.heading(kind)) : columns.heading(kind));
        for (KnownObject object : found) {
            rows.add(namespaces ? before(object.namespace(), columns.row(object)) : columns.row(object));
        }
        return TextTable.print(rows);
    }

    private static List<String> before(String first, List<String> row) {
        return Stream.concat(Stream.of(first), row.stream()).toList();
    }

    private Tree shown(ObjectsReport report, List<KnownObject> found) throws WholeObjects.Incomplete {
        List<Tree> objects = new ArrayList<>();
        for (KnownObject object : found) {
            objects.add(report.whole().of(object));
        }
        if (name.isPresent()) {
            return objects.getFirst();
        }
        return Tree.object("apiVersion", "v1")
                .with("items", objects)
                .with("kind", "List")
                .with("metadata", Tree.object("resourceVersion", ""));
    }
}
