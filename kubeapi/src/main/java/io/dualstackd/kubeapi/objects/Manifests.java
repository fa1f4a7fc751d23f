package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.DocumentReader;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decodes the objects of one manifest file as its bytes arrive; an invalid document or object does not affect the others. Memory
 * holds one document's text and one object's tree, however large the file.
 */
public final class Manifests implements DocumentReader.Listener {
    private static final Set<String> LIST_FIELDS = Set.of("apiVersion", "kind", "metadata", "items");

    private static final Set<String> KINDS_OF_LISTS =
            Stream.of(ObjectKey.Kind.values()).map(kind -> kind + "List").collect(Collectors.toUnmodifiableSet());

    private final String file;
    private final Dialect dialect;
    private final DocumentReader reader = new DocumentReader(this);
    private final List<LocatedObject> objects = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Set<ObjectKey> refused = new HashSet<>();
    private final Map<ObjectKey, Place> seen = new HashMap<>();
    private boolean anonymousRefusals;

    /** The document that is being read. */
    private DocumentObjects open;

    /** @param file its name, for problems */
    public Manifests(String file, Dialect dialect) {
        this.file = file;
        this.dialect = dialect;
        this.open = new DocumentObjects(dialect, file, 1, seen);
    }

    /** Decodes a file that is already in memory, in the dialect {@link Dialect#STORED}. */
    public static Decoded decode(String file, String text) {
        return decode(file, text, Dialect.STORED);
    }

    /** Decodes a file that is already in memory. */
    public static Decoded decode(String file, String text, Dialect dialect) {
        Manifests manifests = new Manifests(file, dialect);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        manifests.feed(bytes, bytes.length);
        return manifests.finish();
    }

    /** Decodes a stored object. */
    public static Decoded decodeStored(Tree.Mapping object) {
        DocumentObjects found = new DocumentObjects(Dialect.STORED, "", 0, Map.of());
        found.object(found.field(object));
        return new Decoded(
                found.objects(), found.problemCollector().problems(), found.refused(), found.anonymousRefusals());
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
        return new Decoded(objects, problems, refused, anonymousRefusals);
    }

    @Override
    public void item(int document, Tree item) {
        open.item(item);
    }

    @Override
    public void again(int document) {
        open = new DocumentObjects(dialect, file, document, seen);
    }

    @Override
    public void document(Document document) {
        switch (document) {
            case Document.Broken(int number, int line, String rule) -> {
                problems.add(Problem.error(new Place.InFile(file, number, line, ""), "", rule));
                anonymousRefusals = true;
            }
            case Document.Parsed(int number, Tree tree) -> topLevel(tree, number);
        }
        open = new DocumentObjects(dialect, file, document.number() + 1, seen);
    }

    private void topLevel(Tree tree, int number) {
        DocumentObjects found = open;
        Field top = found.field(tree);
        if (!top.isObject()) {
            anonymousRefusals = true;
        } else if (isList(top.field("kind").map(Field::raw).orElse(""))) {
            top.unknownBeyond(LIST_FIELDS);
            top.items("items");
            found.problemCollector().endObject(tree.line());
        } else {
            // Its items, if it has any, are not objects.
            found = new DocumentObjects(dialect, file, number, seen);
            found.object(found.field(tree));
        }
        objects.addAll(found.objects());
        problems.addAll(found.problemCollector().problems());
        refused.addAll(found.refused());
        anonymousRefusals |= found.anonymousRefusals();
        found.objects().forEach(locatedObject -> seen.put(locatedObject.object().key(), locatedObject.place()));
    }

    /** Whether an object of this kind is a list of others: {@code List}, {@code ServiceList}. */
    public static boolean isList(String kind) {
        return kind.equals("List") || KINDS_OF_LISTS.contains(kind);
    }

    /** The error for a second object of the same name. */
    public static String duplicate(ObjectKey key, Place first) {
        return key + " is already defined at " + first + ", which stays in force; remove one of the two";
    }
}
