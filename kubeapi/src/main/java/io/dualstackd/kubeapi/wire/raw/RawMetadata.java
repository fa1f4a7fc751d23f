package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.Timestamps;
import io.dualstackd.kubeapi.tree.Field;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code metadata} of an object: the fields that are used. */
public final class RawMetadata {
    private static final int LONGEST_NAME = 253;

    private String name = "";
    private String namespace = "";
    private String uid = "";
    private String resourceVersion = "";
    private boolean deleting;
    private long created;
    private final @Nullable String[] marks = new String[WellKnownLabel.COUNT];

    public void proto(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.OBJECT_META_NAME -> name = in.text();
                case ProtoTag.OBJECT_META_NAMESPACE -> namespace = in.name();
                case ProtoTag.OBJECT_META_UID -> uid = in.text();
                case ProtoTag.OBJECT_META_RESOURCE_VERSION -> resourceVersion = in.text();
                case ProtoTag.OBJECT_META_CREATION_TIMESTAMP -> created(in);
                case ProtoTag.OBJECT_META_DELETION_TIMESTAMP -> {
                    deleting = true;
                    in.skip();
                }
                case ProtoTag.OBJECT_META_LABELS -> entry(in, false);
                case ProtoTag.OBJECT_META_ANNOTATIONS -> entry(in, true);
                default -> in.skip();
            }
        }
        in.leave(outer);
    }

    private void created(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            if (in.tag() == ProtoTag.TIME_SECONDS) {
                created = in.longNumber();
            } else {
                in.skip();
            }
        }
        in.leave(outer);
    }

    private void entry(ProtoReader in, boolean annotation) throws IOException {
        int outer = in.enter();
        int mark = -1;
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.ENTRY_KEY -> {
                    int length = in.length();
                    mark = WellKnownLabel.find(in.bytes(), in.textStart(length), length, annotation);
                    if (mark >= 0) {
                        // An empty value is absent on the wire.
                        marks[mark] = "";
                    }
                }
                case ProtoTag.ENTRY_VALUE -> {
                    if (mark >= 0) {
                        marks[mark] = in.text();
                    } else {
                        in.skip();
                    }
                }
                default -> in.skip();
            }
        }
        in.leave(outer);
    }

    public void json(Field metadata) {
        name = metadata.textOrEmpty("name");
        namespace = metadata.textOrEmpty("namespace").intern();
        uid = metadata.textOrEmpty("uid");
        resourceVersion = metadata.textOrEmpty("resourceVersion");
        created = Timestamps.seconds(metadata.textOrEmpty("creationTimestamp"));
        deleting = metadata.field("deletionTimestamp").isPresent();
        Optional<Field> labels = metadata.object("labels");
        Optional<Field> annotations = metadata.object("annotations");
        for (WellKnownLabel wellKnownLabel : WellKnownLabel.values()) {
            (wellKnownLabel.annotation() ? annotations : labels)
                    .flatMap(texts -> texts.text(wellKnownLabel.key()))
                    .ifPresent(text -> marks[wellKnownLabel.slot()] = text);
        }
    }

    public String name() {
        return name;
    }

    public String namespace() {
        return namespace;
    }

    public String uid() {
        return uid;
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
