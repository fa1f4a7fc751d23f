package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.DocumentReader;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.Suggestion;
import io.dualstackd.kubeapi.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decodes the objects of one manifest file as its bytes arrive; an invalid document or object does not affect the others. Memory
 * holds one document's text and one object's tree, however large the file.
 */
public final class Manifests implements DocumentReader.Listener {
    private static final String ITEMS = "items";
    private static final Set<String> LIST_FIELDS = Set.of("apiVersion", "kind", "metadata", ITEMS);

    private static final Set<String> KINDS_OF_LISTS =
            Stream.of(ObjectKey.Kind.values()).map(kind -> kind + "List").collect(Collectors.toUnmodifiableSet());

    /** Receives the valid objects as they are written, while the file is read. */
    public interface Written {
        Written UNUSED = new Written() {
            @Override
            public void object(LocatedObject locatedObject, Tree tree) {}

            @Override
            public void discarded(int document) {}
        };

        /** An object, with its kind even if it is an item of a list that names the kind. */
        void object(LocatedObject locatedObject, Tree tree);

        /**
         * The objects received from this document do not count: it is read once more, or it is invalid.
         *
         * @param document its number
         */
        void discarded(int document);
    }

    private final String file;
    private final Dialect dialect;
    private final String namespace;
    private final Written written;
    private final DocumentReader reader = new DocumentReader(this);
    private final List<LocatedObject> objects = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Set<ObjectKey> refused = new HashSet<>();
    private final Map<ObjectKey, Place> seen = new HashMap<>();
    private final List<LocatedObject> faulty = new ArrayList<>();
    private final List<Repeated> repeated = new ArrayList<>();
    private boolean anonymousRefusals;

    /** A key that an object of the open document has twice. */
    private record Repeated(String path, int line, int firstLine) {}

    /** The document that is being read. */
    private DocumentObjects open;

    /** @param file its name, for problems */
    public Manifests(String file, Dialect dialect) {
        this(file, dialect, Written.UNUSED);
    }

    /** @param written receives the texts of the objects, too */
    public Manifests(String file, Dialect dialect, Written written) {
        this(file, dialect, "default", written);
    }

    private Manifests(String file, Dialect dialect, String namespace, Written written) {
        this.written = written;
        this.file = file;
        this.dialect = dialect;
        this.namespace = namespace;
        this.open = objectsOf(1);
    }

    private DocumentObjects objectsOf(int document) {
        return new DocumentObjects(dialect, namespace, new ProblemCollector(file, document), seen, written);
    }

    /** Decodes a file that is already in memory, in the dialect {@link Dialect#STORED}. */
    public static Decoded decode(String file, String text) {
        return decode(file, text, Dialect.STORED);
    }

    /** Decodes a file that is already in memory. */
    public static Decoded decode(String file, String text, Dialect dialect) {
        return decode(file, text, dialect, "default");
    }

    /**
     * Decodes a file that is already in memory.
     *
     * @param namespace of objects that name none
     */
    public static Decoded decode(String file, String text, Dialect dialect, String namespace) {
        Manifests manifests = new Manifests(file, dialect, namespace, Written.UNUSED);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        manifests.feed(bytes, bytes.length);
        return manifests.finish();
    }

    /** Decodes a stored object. */
    public static Decoded decodeStored(Tree.Mapping object) {
        DocumentObjects found =
                new DocumentObjects(Dialect.STORED, "default", new ProblemCollector("", 0), Map.of(), Written.UNUSED);
        found.object(found.field(object));
        return new Decoded(
                found.objects(),
                found.problemCollector().problems(),
                found.refused(),
                found.anonymousRefusals(),
                found.faulty());
    }

    /** The next bytes of the file; the array may be reused. */
    public void feed(byte[] bytes, int length) {
        reader.feed(bytes, length);
    }

    /** Whether the file contains only blanks so far. */
    public boolean isBlank() {
        return reader.isBlank();
    }

    /** Ends the file and returns the result. */
    public Decoded finish() {
        reader.finish();
        return new Decoded(objects, problems, refused, anonymousRefusals, faulty);
    }

    @Override
    public void item(int document, Tree item) {
        open.item(item);
    }

    @Override
    public void again(int document) {
        discard(document);
    }

    private void discard(int document) {
        open = objectsOf(document);
        written.discarded(document);
    }

    @Override
    public void twice(int document, String path, int line, int firstLine) {
        repeated.add(new Repeated(path, line, firstLine));
    }

    @Override
    public void document(Document document) {
        switch (document) {
            case Document.Broken(int number, int line, String rule) -> {
                problems.add(Problem.error(new Place.InFile(file, number, line, ""), "", rule));
                anonymousRefusals = true;
                discard(number);
            }
            case Document.Parsed(int number, Tree tree) -> topLevel(tree, number);
        }
        open = objectsOf(document.number() + 1);
        repeated.clear();
    }

    private void topLevel(Tree tree, int number) {
        DocumentObjects found = open;
        Field top = found.field(tree);
        if (!top.isObject()) {
            anonymousRefusals = true;
        } else if (isList(kind(top))) {
            top.unknownBeyond(LIST_FIELDS);
            // What is in the place of the items may have been meant as any object.
            anonymousRefusals |= !hasItems(top);
            // Items that an anchor or an alias stands for were not delivered one by one.
            for (Field item : top.items(ITEMS)) {
                found.item(item.tree());
            }
            found.endList(top);
        } else {
            // Its items, if it has any, are not objects.
            discard(number);
            found = open;
            Optional<String> list = mistypedList(top);
            if (list.isPresent()) {
                Field all = found.field(tree);
                all.problemCollector()
                        .refuse(
                                tree.line(),
                                "",
                                kind(top),
                                ObjectHeader.NOT_USED + "; did you mean " + list.get() + "?");
                anonymousRefusals = true;
            } else {
                found.object(found.field(tree));
            }
        }
        for (Repeated key : repeated) {
            found.twice(key.path(), key.line(), key.firstLine());
        }
        faulty.addAll(found.faulty());
        objects.addAll(found.objects());
        problems.addAll(found.problemCollector().problems());
        refused.addAll(found.refused());
        anonymousRefusals |= found.anonymousRefusals();
        found.objects().forEach(locatedObject -> seen.put(locatedObject.object().key(), locatedObject.place()));
    }

    private static boolean hasItems(Field list) {
        if (list.tree() instanceof Tree.Mapping mapping && !mapping.entries().containsKey(ITEMS)) {
            list.refuseMissing(ITEMS, "required: the objects of the list, or [] for none");
            return false;
        }
        // None is as good as [].
        return list.field(ITEMS)
                .filter(items -> !(items.tree() instanceof Tree.Sequence))
                .isEmpty();
    }

    private static String kind(Field object) {
        return object.field("kind").map(Field::raw).orElse("");
    }

    /** The kind of a list that was certainly meant: it differs by a letter, and there are items. */
    private static Optional<String> mistypedList(Field top) {
        String group =
                ObjectHeader.group(top.field("apiVersion").map(Field::raw).orElse(""));
        boolean own = Stream.of(ObjectKey.Kind.values())
                .anyMatch(kind -> ObjectHeader.group(kind.apiVersion()).equals(group));
        return own
                        && top.field(ITEMS)
                                .filter(items -> items.tree() instanceof Tree.Sequence)
                                .isPresent()
                ? Stream.concat(Stream.of("List"), KINDS_OF_LISTS.stream().sorted())
                        .filter(list -> Suggestion.differByALetter(kind(top), list))
                        .findFirst()
                : Optional.empty();
    }

    /** Whether an object of this kind is a list of others: {@code List}, {@code ServiceList}. */
    public static boolean isList(String kind) {
        return kind.equals("List") || KINDS_OF_LISTS.contains(kind);
    }

    /** Whether the problem is that an object is of no kind that there is, but probably was meant to be of one that is used. */
    public static boolean isMistypedKind(Problem problem) {
        return problem.isError() && problem.rule().startsWith(ObjectHeader.NOT_USED);
    }

    /** The error for a second object of the same name. */
    public static String duplicate(ObjectKey key, Place first) {
        return key + " is already defined at " + first + ", which stays in force; remove one of the two";
    }
}
