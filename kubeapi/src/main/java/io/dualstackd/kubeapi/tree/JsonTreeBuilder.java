package io.dualstackd.kubeapi.tree;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds a tree from JSON tokens as they arrive; the large field that is not used is left out. */
public final class JsonTreeBuilder {
    /** Larger than the rest of most objects. */
    private static final String LEFT_OUT = "managedFields";

    /** An object or list that is not closed yet. */
    private record Open(
            @Nullable Map<String, Tree> entries, @Nullable List<Tree> items) {}

    private final String handedOut;
    private final Deque<Open> open = new ArrayDeque<>();
    private final Deque<String> names = new ArrayDeque<>();
    /** Depth inside of the left-out field; 0 outside. */
    private int leftOut;

    private boolean leaveNext;

    /** @param handedOut a list of the outermost object, whose items are returned one by one and not kept; empty for none */
    public JsonTreeBuilder(String handedOut) {
        this.handedOut = handedOut;
    }

    /** Whether no value has begun. */
    public boolean isEmpty() {
        return open.isEmpty() && leftOut == 0 && !leaveNext;
    }

    /** Whether the next token is not part of an item that is handed out. */
    public boolean isOutside() {
        return leftOut == 0 && (open.size() == 1 || isHandingOut());
    }

    private boolean isHandingOut() {
        return open.size() == 2 && handedOut.equals(names.peek()) && Objects.requireNonNull(open.peek()).items != null;
    }

    /** A field of the outermost object that is complete; null when there is none. */
    public @Nullable Tree outer(String name) {
        Open outermost = open.peekLast();
        return outermost == null || outermost.entries == null ? null : outermost.entries.get(name);
    }

    /** Takes the next token; returns the tree, or an item that is handed out, when it is complete. */
    public Optional<Tree> take(JsonToken token, JsonParser json) throws IOException {
        if (leaveNext || leftOut > 0) {
            leave(token);
            return Optional.empty();
        }
        return switch (token) {
            case START_OBJECT -> {
                open.push(new Open(new LinkedHashMap<>(), null));
                yield Optional.empty();
            }
            case START_ARRAY -> {
                open.push(new Open(null, new ArrayList<>()));
                yield Optional.empty();
            }
            case FIELD_NAME -> {
                String name = json.currentName();
                if (name.equals(LEFT_OUT)) {
                    leaveNext = true;
                } else {
                    names.push(name);
                }
                yield Optional.empty();
            }
            case END_OBJECT, END_ARRAY -> done(close(open.pop()));
            case VALUE_STRING -> done(scalar(json, Tree.Type.TEXT));
            case VALUE_NUMBER_INT -> done(scalar(json, Tree.Type.WHOLE_NUMBER));
            case VALUE_NUMBER_FLOAT -> done(scalar(json, Tree.Type.FRACTION));
            case VALUE_TRUE, VALUE_FALSE -> done(scalar(json, Tree.Type.BOOLEAN));
            case VALUE_NULL -> done(scalar(json, Tree.Type.NULL));
            case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT -> throw new IOException("no value of JSON");
        };
    }

    private void leave(JsonToken token) {
        leaveNext = false;
        if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
            leftOut++;
        } else if (token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY) {
            leftOut--;
        }
    }

    private static Tree close(Open closed) {
        if (closed.entries != null) {
            return new Tree.Mapping(closed.entries, 0);
        }
        return new Tree.Sequence(closed.items == null ? List.of() : closed.items, 0);
    }

    private Optional<Tree> done(Tree value) {
        Open in = open.peek();
        if (in == null || isHandingOut()) {
            return Optional.of(value);
        }
        if (in.entries != null) {
            in.entries.put(names.pop(), value);
        } else if (in.items != null) {
            in.items.add(value);
        }
        return Optional.empty();
    }

    private static Tree scalar(JsonParser json, Tree.Type type) throws IOException {
        return new Tree.Scalar(json.getText(), type, 0);
    }
}
