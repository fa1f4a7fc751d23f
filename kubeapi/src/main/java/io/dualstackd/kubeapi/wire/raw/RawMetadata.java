package io.dualstackd.kubeapi.wire.raw;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code metadata} of an object: the fields that are used. */
public final class RawMetadata {
    private static final Message METADATA = Message.of(
            "ObjectMeta",
            "text name = 1, text namespace = 3, text resourceVersion = 6, scalar creationTimestamp = 8, "
                    + "scalar deletionTimestamp = 9, map labels = 11, map annotations = 12");
    private static final int LONGEST_NAME = 253;

    private String name = "";
    private String namespace = "";
    private String resourceVersion = "";
    private boolean deleting;
    private long created;
    private final @Nullable String[] marks = new String[WellKnownLabel.COUNT];

    void read(FieldReader in) throws IOException {
        in.enter(METADATA);
        while (in.next()) {
            switch (in.field()) {
                case "name" -> name = in.text();
                case "namespace" -> namespace = in.name();
                case "resourceVersion" -> resourceVersion = in.text();
                case "creationTimestamp" -> created = in.time();
                case "deletionTimestamp" -> {
                    deleting = true;
                    in.skip();
                }
                case "labels" -> in.labels(false, marks);
                default -> in.labels(true, marks);
            }
        }
    }

    public String name() {
        return name;
    }

    public String namespace() {
        return namespace;
    }

    public String resourceVersion() {
        return resourceVersion;
    }

    /** Seconds since 1970; 0 when there is no creation time. */
    long created() {
        return created;
    }

    public boolean deleting() {
        return deleting;
    }

    public Optional<String> mark(WellKnownLabel wellKnownLabel) {
        return Optional.ofNullable(marks[wellKnownLabel.slot()]);
    }

    /** Why the object cannot be identified; empty when it can. Names become parts of the kernel's names, so they are always checked. */
    public Optional<String> refuse(boolean namespaced) {
        if (!isName(name)) {
            return Optional.of("metadata.name \"" + shown(name) + "\" is no DNS name");
        }
        if (namespaced && !isName(namespace)) {
            return Optional.of("metadata.namespace \"" + shown(namespace) + "\" is no DNS name");
        }
        return Optional.empty();
    }

    private static boolean isName(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-' && c != '.') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= LONGEST_NAME;
    }

    private static String shown(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}
