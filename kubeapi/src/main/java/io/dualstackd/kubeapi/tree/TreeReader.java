package io.dualstackd.kubeapi.tree;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Builds a {@link Tree} from parser events.
 *
 * <p>Aliases share the subtree they name. The size of a full expansion is counted and limited, so that a small text cannot represent a
 * billion values ("alias bomb"), and depth is limited, so that nesting cannot exhaust the stack.
 */
final class TreeReader {
    static final int MAX_DEPTH = 100;
    /** The library refuses longer keys. */
    static final int MAX_KEY = 1_000;

    private static final long MAX_ALIASED = 100_000;

    private static final int BUFFER = 1024;

    private static final CoreSchema SCHEMA = new CoreSchema();

    /** Kept: the schema creates a new one, with all its patterns, on each call. */
    private static final ScalarResolver RESOLVER = SCHEMA.getScalarResolver();

    /** The value of an anchor: {@code tree} is null while the value is still being read. */
    private record Anchored(@Nullable Tree tree, long weight) {}

    private static final class Refused extends Exception {
        private final int line;

        Refused(String rule, int line) {
            super(rule, null, false, false);
            this.line = line;
        }
    }

    /** The key at the top of a document whose list is passed on item by item: a Kubernetes List holds nearly all of its content there. */
    static final String ITEMS = "items";

    private final ParserImpl events;
    private final int lineOffset;
    private final Consumer<Tree> items;
    private final Runnable again;
    private final List<Repeated> repeated = new ArrayList<>();
    private final Map<Anchor, Anchored> anchors = new HashMap<>();
    private long weight;
    private long aliased;

    /** A key that its object has already; the path is completed on the way up. */
    private record Repeated(String path, int line, int firstLine) {
        Repeated below(String step) {
            return new Repeated(step + (path.startsWith("[") ? "" : ".") + path, line, firstLine);
        }
    }

    private TreeReader(String text, int firstLine, Consumer<Tree> items, Runnable again) {
        this.items = items;
        this.again = again;
        LoadSettings settings = LoadSettings.builder()
                .setSchema(SCHEMA)
                .setUseMarks(true)
                .setCodePointLimit(Integer.MAX_VALUE)
                .setBufferSize(Math.max(BUFFER, longestLine(text)))
                .build();
        events = new ParserImpl(settings, new StreamReader(settings, text));
        lineOffset = firstLine;
    }

    /**
     * The length of the longest line. The library looks ahead to the end of a line, and copies everything it has looked at whenever its
     * buffer is used up.
     */
    private static int longestLine(String text) {
        int longest = 0;
        for (int from = 0; from < text.length(); ) {
            int end = text.indexOf('\n', from);
            int to = end < 0 ? text.length() : end + 1;
            longest = Math.max(longest, to - from);
            from = to;
        }
        return longest;
    }

    /**
     * Reads one document; empty when it has no content.
     *
     * @param firstLine its first line in the file
     * @param items takes the items of the list {@value #ITEMS} at its top, which is empty in the tree
     * @param again notified when the items so far are void, because the key occurs again
     * @param twice notified at the end of a document that can be read
     */
    static Optional<Document> read(
            String text, int number, int firstLine, Consumer<Tree> items, Runnable again, YamlText.Twice twice) {
        try {
            TreeReader reader = new TreeReader(text, firstLine, items, again);
            Tree tree = reader.document();
            reader.repeated.forEach(key -> twice.found(key.path, key.line, key.firstLine));
            boolean nothing = tree instanceof Tree.Scalar scalar
                    && tree.is(Tree.Type.NULL)
                    && scalar.text().isEmpty();
            return nothing ? Optional.empty() : Optional.of(new Document.Parsed(number, tree));
        } catch (Refused e) {
            return Optional.of(new Document.Broken(number, e.line, Objects.toString(e.getMessage(), "")));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(Mark::getLine).orElse(0) + firstLine;
            return Optional.of(new Document.Broken(number, line, rule(e)));
        } catch (YamlEngineException e) {
            String reason = Objects.toString(e.getMessage(), "").replace('\n', ' ');
            return Optional.of(new Document.Broken(number, firstLine, "not YAML: " + reason));
        }
    }

    private static String rule(MarkedYamlEngineException e) {
        String problem = Objects.toString(e.getProblem(), "");
        if (problem.startsWith("expected '<document start>'")) {
            // JSON objects one after the other, for example, which are no YAML.
            return "the document ends before this; the next one must begin with a line ---";
        }
        return "not YAML: " + (e.getContext() == null ? "" : e.getContext() + ": ") + problem;
    }

    private Tree document() throws Refused {
        expect(Event.ID.StreamStart);
        expect(Event.ID.DocumentStart);
        Tree tree = value(events.next(), 0);
        expect(Event.ID.DocumentEnd);
        expect(Event.ID.StreamEnd);
        return tree;
    }

    private void expect(Event.ID id) throws Refused {
        Event event = events.next();
        if (event.getEventId() != id) {
            throw new Refused("not YAML: more text where the document should end", line(event));
        }
    }

    private Tree value(Event event, int depth) throws Refused {
        if (depth > MAX_DEPTH) {
            throw tooDeep(line(event));
        }
        weight++;
        return switch (event) {
            case AliasEvent alias -> follow(alias, depth);
            case ScalarEvent scalar -> remember(scalar, weight, scalar(scalar));
            case NodeEvent node when node.getEventId() == Event.ID.SequenceStart -> sequence(node, depth);
            case NodeEvent node when node.getEventId() == Event.ID.MappingStart -> mapping(node, depth);
            default -> throw new Refused("not YAML: a value is missing", line(event));
        };
    }

    private Tree follow(AliasEvent alias, int depth) throws Refused {
        Anchored anchored = anchors.get(alias.getAlias());
        if (anchored == null) {
            throw new Refused("alias *" + alias.getAlias() + " names no anchor of this document", line(alias));
        }
        if (anchored.tree == null) {
            throw new Refused("alias *" + alias.getAlias() + " is inside the value it refers to", line(alias));
        }
        aliased += anchored.weight;
        weight += anchored.weight;
        if (aliased > MAX_ALIASED) {
            throw new Refused("its aliases stand for more than " + MAX_ALIASED + " values", line(alias));
        }
        if (depth + height(anchored.tree) > MAX_DEPTH) {
            throw tooDeep(line(alias));
        }
        return anchored.tree;
    }

    private static Refused tooDeep(int line) {
        return new Refused("nested more than " + MAX_DEPTH + " levels deep", line);
    }

    /** The levels below the top of the tree. */
    private static int height(Tree tree) {
        Collection<Tree> inner = switch (tree) {
            case Tree.Mapping mapping -> mapping.entries().values();
            case Tree.Sequence sequence -> sequence.items();
            case Tree.Scalar _ -> List.of();
        };
        int height = 0;
        for (Tree value : inner) {
            height = Math.max(height, 1 + height(value));
        }
        return height;
    }

    private Tree sequence(NodeEvent start, int depth) throws Refused {
        List<Tree> list = new ArrayList<>();
        return sequence(start, depth, list, list::add);
    }

    private Tree sequence(NodeEvent start, int depth, List<Tree> list, Consumer<Tree> into) throws Refused {
        open(start);
        long before = weight;
        int index = 0;
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            int known = repeated.size();
            Tree item = value(event, depth + 1);
            below("[" + index++ + "]", known);
            into.accept(item);
        }
        return remember(start, before, new Tree.Sequence(list, line(start)));
    }

    /** Reads a value at the top of the document. An alias may refer to an anchored list, so that is kept whole. */
    private Tree entry(String key, int depth) throws Refused {
        Event event = events.next();
        return depth == 0
                        && key.equals(ITEMS)
                        && event instanceof NodeEvent node
                        && node.getEventId() == Event.ID.SequenceStart
                        && node.getAnchor().isEmpty()
                ? sequence(node, depth + 1, List.of(), items)
                : value(event, depth + 1);
    }

    private Tree mapping(NodeEvent start, int depth) throws Refused {
        open(start);
        long before = weight;
        Map<String, Tree> entries = new LinkedHashMap<>();
        Map<String, Integer> keyLines = new HashMap<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            if (!(value(event, depth + 1) instanceof Tree.Scalar(String key, Tree.Type type, int line))) {
                throw new Refused("a key must be a single word, not a list or an object", line(event));
            }
            if (key.codePoints().anyMatch(TreeReader::isHalf)) {
                throw new Refused("a key has half of a surrogate pair, which is no character", line);
            }
            if (key.equals("<<") && type == Tree.Type.TEXT) {
                throw new Refused("merge keys (\"<<\") are not part of YAML 1.2; write the fields out", line);
            }
            if (depth == 0 && key.equals(ITEMS) && entries.containsKey(ITEMS)) {
                again.run();
                repeated.removeIf(other -> other.path.startsWith(ITEMS + "["));
            }
            int known = repeated.size();
            Tree value = entry(key, depth);
            below(key, known);
            Tree earlier = entries.put(key, value);
            if (earlier != null) {
                repeated.add(new Repeated(key, line, keyLines.getOrDefault(key, earlier.line())));
            }
            keyLines.remove(key);
            if (value.line() != line) {
                keyLines.put(key, line);
            }
        }
        return remember(start, before, new Tree.Mapping(entries, line(start), keyLines));
    }

    /** Whether it is a surrogate without the other one: a name in JSON may not have it, not even escaped. */
    private static boolean isHalf(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /** Completes the paths of the keys that were found under this step. */
    private void below(String step, int from) {
        for (int i = from; i < repeated.size(); i++) {
            repeated.set(i, repeated.get(i).below(step));
        }
    }

    private void open(NodeEvent node) {
        node.getAnchor().ifPresent(anchor -> anchors.put(anchor, new Anchored(null, 0)));
    }

    private Tree remember(NodeEvent node, long before, Tree tree) {
        node.getAnchor().ifPresent(anchor -> anchors.put(anchor, new Anchored(tree, weight - before + 1)));
        return tree;
    }

    /** Tags are compared as text: a document may contain tags that the library cannot construct. */
    private Tree.Scalar scalar(ScalarEvent event) {
        String tag = event.getTag()
                .orElseGet(() -> event.isPlain()
                        ? RESOLVER.resolve(event.getValue(), true).getValue()
                        : Tag.STR.getValue());
        return new Tree.Scalar(event.getValue(), type(tag), line(event));
    }

    /** The type of a scalar without quotes. */
    static Tree.Type typeOf(String plain) {
        return type(RESOLVER.resolve(plain, true).getValue());
    }

    private static Tree.Type type(String tag) {
        if (tag.equals(Tag.INT.getValue())) {
            return Tree.Type.WHOLE_NUMBER;
        } else if (tag.equals(Tag.FLOAT.getValue())) {
            return Tree.Type.FRACTION;
        } else if (tag.equals(Tag.BOOL.getValue())) {
            return Tree.Type.BOOLEAN;
        } else if (tag.equals(Tag.NULL.getValue())) {
            return Tree.Type.NULL;
        }
        return Tree.Type.TEXT;
    }

    private int line(Event event) {
        return event.getStartMark().map(Mark::getLine).orElse(0) + lineOffset;
    }
}
