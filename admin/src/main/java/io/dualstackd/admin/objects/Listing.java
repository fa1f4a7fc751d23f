package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.print.TextTable;
import io.dualstackd.kubeapi.print.YamlPrint;
import io.dualstackd.kubeapi.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A {@code get} request.
 *
 * @param targets what to list, in this order
 * @param namespace empty for all of them
 */
public record Listing(List<Target> targets, Format format, Optional<String> namespace, LabelSelector selector) {
    /** The labels that are kept of every slice. */
    private static final Set<String> KEPT = Set.of(StoredObjects.OWNER_LABEL, StoredObjects.HEADLESS_LABEL);

    /**
     * All objects of a kind, or one.
     *
     * @param name empty for all
     */
    public record Target(ObjectKind kind, Optional<String> name) {}

    /** How objects are shown. */
    public enum Format {
        TEXT,
        WIDE,
        NAME,
        JSON,
        YAML,
        /** As {@link #TEXT}, each row after a digest of its object and a tab: for clients that look for changes. */
        WATCH,
        /** As {@link #WATCH}, with the columns of {@link #WIDE}. */
        WATCH_WIDE;

        /** Whether it is for clients that look for changes. */
        public boolean isWatched() {
            return this == WATCH || this == WATCH_WIDE;
        }
    }

    /** The result of a request. */
    public sealed interface Result {
        /**
         * The objects that were found.
         *
         * @param text empty when there is none
         * @param missing the targets with a name of which there is no object
         */
        record Text(String text, List<Target> missing) implements Result {
            public Text {
                missing = List.copyOf(missing);
            }
        }

        /** The request cannot be answered. */
        record Refused(String why) implements Result {}
    }

    public Listing {
        targets = List.copyOf(targets);
    }

    /** Answers the request. */
    public Result of(KnownObjects objects) {
        try {
            return result(objects);
        } catch (WholeObjects.Incomplete e) {
            return new Result.Refused(String.valueOf(e.getMessage()));
        }
    }

    private Result result(KnownObjects objects) throws WholeObjects.Incomplete {
        Optional<String> unknown = unknown(objects);
        if (unknown.isPresent()) {
            return new Result.Refused(unknown.get());
        }
        List<Target> missing = new ArrayList<>();
        Map<ObjectKind, List<KnownObject>> found = select(objects, missing);
        return new Result.Text(shown(objects, found), missing);
    }

    /** Why one of the kinds cannot have any object; empty when all can. */
    public Optional<String> unknown(KnownObjects objects) {
        return targets.stream()
                .flatMap(target -> objects.unknown(target.kind()).stream())
                .findFirst();
    }

    /** Whether the answer needs objects of the source: pods come from the container runtime, and this node is always known. */
    public boolean asksTheSource() {
        return targets.stream()
                .anyMatch(target -> target.kind() != ObjectKind.PODS && target.kind() != ObjectKind.NODES);
    }

    /**
     * The objects that are asked for.
     *
     * @param missing takes the targets with a name of which there is no object
     */
    Map<ObjectKind, List<KnownObject>> select(KnownObjects objects, List<Target> missing)
            throws WholeObjects.Incomplete {
        Map<ObjectKind, List<KnownObject>> found = new LinkedHashMap<>();
        for (Target target : targets) {
            List<KnownObject> ofKind = found.computeIfAbsent(target.kind(), kind -> new ArrayList<>());
            int before = ofKind.size();
            for (KnownObject object : objects.all(target.kind())) {
                if (isMeant(object, target)
                        && selector.matches(labels(object, objects.report().whole()))) {
                    ofKind.add(object);
                }
            }
            if (target.name().isPresent() && ofKind.size() == before) {
                missing.add(target);
            }
        }
        found.values().removeIf(List::isEmpty);
        return found;
    }

    private boolean isMeant(KnownObject object, Target target) {
        boolean inNamespace = !target.kind().namespaced()
                || namespace.isEmpty()
                || namespace.get().equals(object.namespace());
        return inNamespace && (target.name().isEmpty() || target.name().get().equals(object.name()));
    }

    private Map<String, String> labels(KnownObject object, WholeObjects whole) throws WholeObjects.Incomplete {
        if (selector.requirements().isEmpty()) {
            return Map.of();
        }
        boolean kept = object.kind() == ObjectKind.ENDPOINT_SLICES && selector.asksOnlyFor(KEPT);
        Tree.Mapping complete = kept ? object.object() : whole.labelled(object);
        Map<String, String> labels = new HashMap<>();
        if (KnownObject.at(complete, "metadata", "labels").orElse(null) instanceof Tree.Mapping written) {
            written.entries().forEach((key, value) -> labels.put(key, KnownObject.word(value)));
        }
        return labels;
    }

    private String shown(KnownObjects objects, Map<ObjectKind, List<KnownObject>> found)
            throws WholeObjects.Incomplete {
        Instant now = objects.report().madeAt();
        return switch (format) {
            case TEXT, WATCH -> tables(new Columns(false, now), found);
            case WIDE, WATCH_WIDE -> tables(new Columns(true, now), found);
            case NAME ->
                found.values().stream()
                        .flatMap(List::stream)
                        .map(object -> object.kind().resource() + "/" + object.name() + "\n")
                        .collect(Collectors.joining());
            case JSON ->
                found.isEmpty() && isOne()
                        ? ""
                        : JsonPrint.indented(tree(objects.report().whole(), found));
            case YAML ->
                found.isEmpty() && isOne()
                        ? ""
                        : YamlPrint.of(tree(objects.report().whole(), found));
        };
    }

    private String tables(Columns columns, Map<ObjectKind, List<KnownObject>> found) {
        return found.entrySet().stream()
                .map(of -> table(columns, of.getKey(), of.getValue(), found.size() > 1))
                .collect(Collectors.joining("\n"));
    }

    private String table(Columns columns, ObjectKind kind, List<KnownObject> found, boolean prefixed) {
        boolean namespaces = kind.namespaced() && namespace.isEmpty();
        List<List<String>> rows = new ArrayList<>();
        rows.add(namespaces ? before("NAMESPACE", columns.heading(kind)) : columns.heading(kind));
        for (KnownObject object : found) {
            List<String> row = new ArrayList<>(columns.row(object));
            if (prefixed && kind != ObjectKind.EVENTS) {
                row.set(0, kind.resource() + "/" + row.getFirst());
            }
            rows.add(namespaces ? before(object.namespace(), row) : row);
        }
        String table = TextTable.print(rows);
        return format.isWatched() ? digested(table, found) : table;
    }

    private static String digested(String table, List<KnownObject> found) {
        List<String> lines = table.lines().toList();
        StringBuilder text = new StringBuilder("\t").append(lines.getFirst()).append('\n');
        for (int i = 0; i < found.size(); i++) {
            KnownObject object = found.get(i);
            text.append(object.kind().resource())
                    .append('/')
                    .append(object.namespace())
                    .append('/')
                    .append(object.name())
                    .append(' ')
                    .append(Integer.toHexString(object.object().hashCode()))
                    .append('\t')
                    .append(lines.get(i + 1))
                    .append('\n');
        }
        return text.toString();
    }

    private static List<String> before(String first, List<String> row) {
        return Stream.concat(Stream.of(first), row.stream()).toList();
    }

    private Tree tree(WholeObjects whole, Map<ObjectKind, List<KnownObject>> found) throws WholeObjects.Incomplete {
        List<Tree> objects = new ArrayList<>();
        for (KnownObject object : found.values().stream().flatMap(List::stream).toList()) {
            objects.add(whole.of(object));
        }
        if (isOne()) {
            return objects.getFirst();
        }
        return Tree.object("apiVersion", "v1")
                .with("items", objects)
                .with("kind", "List")
                .with("metadata", Tree.object("resourceVersion", ""));
    }

    /** Whether one object is asked for by its name, so that it is printed by itself and not as a list. */
    private boolean isOne() {
        return targets.size() == 1 && targets.getFirst().name().isPresent();
    }
}
