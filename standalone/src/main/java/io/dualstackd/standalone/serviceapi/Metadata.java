package io.dualstackd.standalone.serviceapi;

import io.dualstackd.kubeapi.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The {@code metadata} of an object that is written. */
final class Metadata {
    static final String PATH = "metadata";
    private static final String TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";
    private static final String TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";
    private static final int MAX_ANNOTATION_BYTES = 256 * 1024;

    /** Fields that the server sets, whatever their value in a printed text that is written again. */
    private static final List<String> OF_THE_SERVER =
            List.of(("uid resourceVersion generation creationTimestamp deletionTimestamp "
                            + "deletionGracePeriodSeconds managedFields selfLink")
                    .split(" ", -1));

    private Metadata() {}

    static void fill(Draft object) {
        Draft metadata = object.object(PATH);
        OF_THE_SERVER.forEach(metadata::remove);
        metadata.removeEmpty("namespace");
        if (!metadata.has("namespace")) {
            metadata.put("namespace", "default");
        }
        object.put(PATH, metadata);
    }

    static void keep(Draft object, Draft old) {
        Draft metadata = object.object(PATH);
        Draft before = old.object(PATH);
        for (String field : OF_THE_SERVER) {
            if (before.has(field)) {
                metadata.put(field, before.get(field));
            }
        }
        object.put(PATH, metadata);
    }

    static void check(Draft object, Violations violations) {
        Draft metadata = object.object(PATH);
        labels(metadata.object("labels"), PATH + ".labels", violations);
        Draft annotations = metadata.object("annotations");
        annotations(annotations.entries(), violations);
        topology(annotations, violations);
    }

    private static void topology(Draft annotations, Violations violations) {
        String mode = annotations.text(TOPOLOGY_MODE);
        String hints = annotations.text(TOPOLOGY_HINTS);
        if (annotations.has(TOPOLOGY_MODE) && annotations.has(TOPOLOGY_HINTS) && !mode.equals(hints)) {
            violations.reject(
                    PATH + ".annotations[" + TOPOLOGY_MODE + "]", mode, "must be as " + TOPOLOGY_HINTS + ", " + hints);
        }
    }

    static void labels(Draft labels, String path, Violations violations) {
        labels.entries().forEach((name, value) -> {
            if (!TextFormats.isQualified(name)) {
                violations.reject(path, name, "a label: " + TextFormats.QUALIFIED_RULE);
            }
            String text = value instanceof Tree.Scalar scalar ? scalar.text() : "";
            if (!TextFormats.isLabelValue(text)) {
                violations.reject(path + "." + name, text, TextFormats.LABEL_VALUE_RULE);
            }
        });
    }

    private static void annotations(Map<String, Tree> annotations, Violations violations) {
        long bytes = 0;
        for (Map.Entry<String, Tree> annotation : annotations.entrySet()) {
            String name = annotation.getKey();
            if (!TextFormats.isQualified(name.toLowerCase(Locale.ROOT))) {
                violations.reject(PATH + ".annotations", name, "an annotation: " + TextFormats.QUALIFIED_RULE);
            }
            String text = annotation.getValue() instanceof Tree.Scalar scalar ? scalar.text() : "";
            bytes += name.getBytes(StandardCharsets.UTF_8).length + text.getBytes(StandardCharsets.UTF_8).length;
        }
        if (bytes > MAX_ANNOTATION_BYTES) {
            violations.reject(
                    PATH + ".annotations",
                    bytes + " bytes",
                    "all annotations together may have " + MAX_ANNOTATION_BYTES + " bytes");
        }
    }
}
