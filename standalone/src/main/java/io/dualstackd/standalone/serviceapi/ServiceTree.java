package io.dualstackd.standalone.serviceapi;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.WholeNumbers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A Service as a whole object. */
public final class ServiceTree {
    /** Maps of strings, in which {@code null} means the empty string: a selector must not match more because of it. */
    private static final Set<String> TEXTS = Set.of("labels", "annotations", "selector");

    private ServiceTree() {}

    /**
     * The object with its numbers.
     *
     * @param clusterIps all of them, the primary one first; {@code None} for a headless Service, none for an ExternalName
     * @param ports as many as the object has, in its order; only their node ports are used, 0 for none
     * @param healthPort 0 for none
     */
    public static Tree.Mapping with(
            Tree.Mapping object, List<String> clusterIps, List<PortFields> ports, int healthPort) {
        Draft draft = new Draft(object);
        Draft spec = draft.object("spec");
        putClusterIps(spec, clusterIps.isEmpty() ? "" : clusterIps.getFirst(), clusterIps);
        List<Draft> entries = spec.objects("ports");
        for (int i = 0; i < Math.min(entries.size(), ports.size()); i++) {
            putNumber(entries.get(i), "nodePort", ports.get(i).nodePort());
        }
        if (!entries.isEmpty()) {
            spec.putObjects("ports", entries);
        }
        putNumber(spec, "healthCheckNodePort", healthPort);
        draft.put("spec", spec);
        return draft.tree();
    }

    static void putClusterIps(Draft spec, String first, List<String> all) {
        if (first.isEmpty()) {
            spec.remove("clusterIP");
        } else {
            spec.put("clusterIP", first);
        }
        if (all.isEmpty()) {
            spec.remove("clusterIPs");
        } else {
            spec.putTexts("clusterIPs", all);
        }
    }

    /** Writes a number; 0 removes the field. */
    static void putNumber(Draft draft, String name, int number) {
        if (number == 0) {
            draft.remove(name);
        } else {
            draft.put(name, number);
        }
    }

    /**
     * The same object without line numbers and without {@code null}s, numbers and booleans as JSON writes them: two objects of the same
     * content are equal.
     */
    public static Tree.Mapping plain(Tree.Mapping object) {
        Map<String, Tree> entries = new LinkedHashMap<>();
        object.entries().forEach((name, value) -> {
            if (TEXTS.contains(name) && value instanceof Tree.Mapping texts) {
                entries.put(name, plainTexts(texts));
            } else if (!value.is(Tree.Type.NULL)) {
                entries.put(name, plain(value));
            }
        });
        return new Tree.Mapping(entries, 0);
    }

    private static Tree plainTexts(Tree.Mapping texts) {
        Map<String, Tree> entries = new LinkedHashMap<>();
        texts.entries()
                .forEach((name, value) -> entries.put(
                        name, value.is(Tree.Type.NULL) ? new Tree.Scalar("", Tree.Type.TEXT, 0) : plain(value)));
        return new Tree.Mapping(entries, 0);
    }

    private static Tree plain(Tree tree) {
        return switch (tree) {
            case Tree.Mapping mapping -> plain(mapping);
            case Tree.Sequence sequence ->
                new Tree.Sequence(
                        sequence.items().stream().map(ServiceTree::plain).toList(), 0);
            case Tree.Scalar scalar -> new Tree.Scalar(text(scalar), scalar.type(), 0);
        };
    }

    private static String text(Tree.Scalar scalar) {
        return switch (scalar.type()) {
            case WHOLE_NUMBER ->
                WholeNumbers.exact(scalar).map(Object::toString).orElse(scalar.text());
            case BOOLEAN -> Boolean.toString(scalar.text().equalsIgnoreCase("true"));
            case TEXT, FRACTION, NULL -> scalar.text();
        };
    }
}
