package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Timestamps;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the fields of an object in JSON; values of a wrong type are noted in its {@link Field} and left out. */
public final class JsonReader implements FieldReader {
    private static final int MIN = Integer.MIN_VALUE;
    private static final int MAX = Integer.MAX_VALUE;

    private final NamePool names;
    private final Deque<Level> levels = new ArrayDeque<>();
    private Field value;

    /** A message that was entered. */
    private static final class Level {
        private final Field message;
        private final Iterator<Message.Entry> entries;
        private Iterator<Field> values = Collections.emptyIterator();
        private String name = "";

        private Level(Field message, Message schema) {
            this.message = message;
            this.entries = schema.entries().iterator();
        }
    }

    public JsonReader(Field object, NamePool names) {
        this.value = object;
        this.names = names;
    }

    @Override
    public void enter(Message message) {
        levels.push(new Level(value, message));
    }

    @Override
    public boolean next() {
        Level level = levels.element();
        while (!level.values.hasNext()) {
            if (!level.entries.hasNext()) {
                levels.pop();
                return false;
            }
            Message.Entry entry = level.entries.next();
            level.name = entry.name();
            level.values = values(level.message, entry).iterator();
        }
        value = level.values.next();
        return true;
    }

    private static List<Field> values(Field message, Message.Entry entry) {
        String name = entry.name();
        return switch (entry.type()) {
            case TEXT ->
                message.field(name).filter(f -> f.asText().isPresent()).stream().toList();
            case NUMBER ->
                message.field(name).filter(f -> f.asNumber(MIN, MAX).isPresent()).stream()
                        .toList();
            case BOOL ->
                message.field(name).filter(f -> f.asBool().isPresent()).stream().toList();
            case SCALAR -> message.field(name).stream().toList();
            case MESSAGE, MAP -> message.object(name).stream().toList();
            case TEXTS -> message.texts(name);
            case MESSAGES -> message.objects(name);
        };
    }

    @Override
    public String field() {
        return levels.element().name;
    }

    @Override
    public void skip() {}

    @Override
    public String text() {
        return value.raw();
    }

    @Override
    public String name() {
        return value.raw().intern();
    }

    @Override
    public int number() {
        return value.asNumber(MIN, MAX).orElse(0);
    }

    @Override
    public boolean bool() {
        return value.asBool().orElse(false);
    }

    @Override
    public long time() {
        return Timestamps.seconds(value.asText().orElse(""));
    }

    @Override
    public @Nullable Ip ip() {
        return IgnoredValues.ip(value.raw()).orElse(null);
    }

    @Override
    public String ipText() {
        return value.raw();
    }

    @Override
    public PodSelector.Target target() {
        return value.tree().is(Tree.Type.TEXT) && !value.raw().isEmpty()
                ? new PodSelector.Target.Named(name())
                : new PodSelector.Target.Numbered(value.tree().is(Tree.Type.TEXT) ? 0 : number());
    }

    @Override
    public void entries(Map<String, String> to) {
        if (value.tree() instanceof Tree.Mapping mapping) {
            mapping.entries()
                    .keySet()
                    .forEach(key -> to.put(key.intern(), value.textOrEmpty(key).intern()));
        }
    }

    @Override
    public void labels(boolean annotations, @Nullable String[] to) {
        for (WellKnownLabel label : WellKnownLabel.values()) {
            if (label.annotation() == annotations) {
                value.text(label.key()).ifPresent(text -> to[label.slot()] = text);
            }
        }
    }

    @Override
    public NamePool names() {
        return names;
    }
}
