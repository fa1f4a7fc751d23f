package io.dualstackd.kubeapi.tree;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Builds a tree from JSON tokens as they arrive. */
public final class JsonTreeBuilder {
    /** Larger than the rest of most objects, and not used. */
    private static final String MANAGED_FIELDS = "managedFields";

    private static final int NO_LINES = 0;

    /** An object or list that is not closed yet. */
    private record Open(
            @Nullable Map<String, Tree> entries, @Nullable List<Tree> items, int line, Map<String, Integer> keyLines) {}

    private final boolean withoutManagedFields;
    /** Whether {@link #take} returns the items of a list one by one. */
    private final boolean returnsItems;

    private final int firstLine;
    private final Optional<Consumer<Tree>> items;
    private final Deque<Open> open = new ArrayDeque<>();
    private final Deque<String> names = new ArrayDeque<>();
    private final Deque<Integer> nameLines = new ArrayDeque<>();
    /** Depth inside of the left-out field; 0 outside. */
    private int leaving;

    private boolean leaveNext;

    private JsonTreeBuilder(
            boolean withoutManagedFields, boolean returnsItems, int firstLine, Optional<Consumer<Tree>> items) {
        this.withoutManagedFields = withoutManagedFields;
        this.returnsItems = returnsItems;
        this.firstLine = firstLine;
        this.items = items;
    }

    /** For answers of an API server: {@code managedFields} are left out, lines are not counted. */
    public static JsonTreeBuilder withoutManagedFields() {
        return new JsonTreeBuilder(true, false, NO_LINES, Optional.empty());
    }

    /** For lists of an API server: as {@link #withoutManagedFields}, and the items are returned one by one and not kept. */
    public static JsonTreeBuilder ofList() {
        return new JsonTreeBuilder(true, true, NO_LINES, Optional.empty());
    }

    /** For complete trees without lines. */
    static JsonTreeBuilder whole() {
        return new JsonTreeBuilder(false, false, NO_LINES, Optional.empty());
    }

    /**
     * For a document of a file, in which no key occurs twice.
     *
     * @param items as in {@link TreeReader#read}
     */
    static JsonTreeBuilder ofDocument(int firstLine, Consumer<Tree> items) {
        return new JsonTreeBuilder(false, false, firstLine, Optional.of(items));
    }

    /** Whether no value has begun. */
    public boolean isEmpty() {
        return open.isEmpty() && leaving == 0 && !leaveNext;
    }

    /** Whether the next token is not part of an item that is returned. */
    public boolean isOutside() {
        return leaving == 0 && (open.size() == 1 || isReturningItems());
    }

    private boolean isReturningItems() {
        return returnsItems && isInItems() && Objects.requireNonNull(open.peek()).items != null;
    }

    private boolean isInItems() {
        return open.size() == 2 && TreeReader.ITEMS.equals(names.peek());
    }

    /** A field of the outermost object that is complete; null when there is none. */
    public @Nullable Tree outer(String name) {
        Open outermost = open.peekLast();
        return outermost == null || outermost.entries == null ? null : outermost.entries.get(name);
    }

    /** Takes the next token; returns the tree, or an item of a list, when it is complete. */
    public Optional<Tree> take(JsonToken token, JsonParser json) throws IOException {
        if (leaveNext || leaving > 0) {
            leave(token);
            return Optional.empty();
        }
        return switch (token) {
            case START_OBJECT ->
                open(new Open(
                        new LinkedHashMap<>(), null, line(json), firstLine == NO_LINES ? Map.of() : new HashMap<>()));
            case START_ARRAY -> open(new Open(null, new ArrayList<>(), line(json), Map.of()));
            case FIELD_NAME -> {
                name(json.currentName(), line(json));
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

    private Optional<Tree> open(Open value) {
        open.push(value);
        return Optional.empty();
    }

    private void name(String name, int line) throws IOException {
        if (withoutManagedFields && name.equals(MANAGED_FIELDS)) {
            leaveNext = true;
            return;
        }
        Open in = open.peek();
        boolean twice = in != null && in.entries != null && in.entries.containsKey(name);
        if (items.isPresent() && (twice || name.equals("<<"))) {
            throw new IOException("the full parser has error messages for these");
        }
        names.push(name);
        nameLines.push(line);
    }

    private void leave(JsonToken token) {
        leaveNext = false;
        if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
            leaving++;
        } else if (token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY) {
            leaving--;
        }
    }

    private static Tree close(Open closed) {
        if (closed.entries != null) {
            return new Tree.Mapping(closed.entries, closed.line, closed.keyLines);
        }
        return new Tree.Sequence(closed.items == null ? List.of() : closed.items, closed.line);
    }

    private Optional<Tree> done(Tree value) {
        Open in = open.peek();
        if (in == null || isReturningItems()) {
            return Optional.of(value);
        }
        if (in.entries != null) {
            String name = names.pop();
            int line = nameLines.pop();
            in.entries.put(name, value);
            if (line != value.line()) {
                in.keyLines.put(name, line);
            }
        } else if (items.isPresent() && isInItems()) {
            items.get().accept(value);
        } else if (in.items != null) {
            in.items.add(value);
        }
        return Optional.empty();
    }

    private Tree.Scalar scalar(JsonParser json, Tree.Type type) throws IOException {
        return new Tree.Scalar(json.getText(), type, line(json));
    }

    private int line(JsonParser json) {
        return firstLine == NO_LINES
                ? NO_LINES
                : firstLine - 1 + json.currentTokenLocation().getLineNr();
    }
}
