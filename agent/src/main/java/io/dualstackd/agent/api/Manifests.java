package io.dualstackd.agent.api;

import io.dualstackd.agent.tree.Document;
import io.dualstackd.agent.tree.Field;
import io.dualstackd.agent.tree.Notes;
import io.dualstackd.agent.tree.Place;
import io.dualstackd.agent.tree.Problem;
import io.dualstackd.agent.tree.YamlText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decodes the objects of one manifest file; a bad document or object never takes another one with it. */
public final class Manifests {
    /**
     * Characters a file may have. A slice of 1,000 endpoints with everything a controller writes is about half a million
     * characters of YAML, so this holds a dozen of them, and reading it stays below a second.
     */
    public static final int MAX_CHARACTERS = 8 * 1024 * 1024;

    private static final Set<String> LIST_FIELDS = Set.of("apiVersion", "kind", "metadata", "items");

    private final String file;
    private final List<Placed> objects = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Set<ObjectKey> refused = new HashSet<>();
    private final Map<ObjectKey, Place> seen = new HashMap<>();
    private boolean anonymousRefusals;

    private Manifests(String file) {
        this.file = file;
    }

    /**
     * Decodes a file.
     *
     * @param file its name, for problems
     */
    public static Decoded decode(String file, String text) {
        if (text.length() > MAX_CHARACTERS) {
            return Decoded.unreadable(tooLong(file, text.length()));
        }
        Manifests manifests = new Manifests(file);
        for (Document document : YamlText.documents(text)) {
            manifests.document(document);
        }
        return new Decoded(manifests.objects, manifests.problems, manifests.refused, manifests.anonymousRefusals);
    }

    /** The problem of a file with {@code length} characters (or bytes), more than {@link #MAX_CHARACTERS}. */
    public static Problem tooLong(String file, long length) {
        return Problem.error(
                Place.InFile.whole(file),
                "",
                "the file has " + length + " bytes, more than the limit of " + MAX_CHARACTERS
                        + " (8 MiB); split it into several files");
    }

    private void document(Document document) {
        switch (document) {
            case Document.Broken(int number, int line, String rule) -> {
                problems.add(Problem.error(new Place.InFile(file, number, line, ""), "", rule));
                anonymousRefusals = true;
            }
            case Document.Parsed parsed -> {
                Notes notes = new Notes(file, parsed.number());
                topLevel(new Field(parsed.tree(), "", notes), notes);
                problems.addAll(notes.problems());
            }
        }
    }

    private void topLevel(Field top, Notes notes) {
        if (!top.isObject()) {
            anonymousRefusals = true;
        } else if (top.field("kind").map(Field::raw).orElse("").equals("List")) {
            top.unknownBeyond(LIST_FIELDS);
            notes.endObject(top.tree().line());
            for (Field item : top.items("items")) {
                object(item, notes);
            }
        } else {
            object(top, notes);
        }
    }

    private void object(Field field, Notes notes) {
        int errorsBefore = notes.errors();
        Optional<Header> header = Header.read(field);
        if (header.isEmpty()) {
            anonymousRefusals |= notes.errors() > errorsBefore;
            return;
        }
        ObjectKey key = header.get().key();
        notes.about(key.toString());
        ApiObject object = switch (key.kind()) {
            case SERVICE -> ServiceDecoder.decode(header.get(), field);
            case ENDPOINT_SLICE -> SliceDecoder.decode(header.get(), field);
            case NODE -> NodeDecoder.decode(header.get(), field);
            case SERVICE_CIDR -> ServiceCidrDecoder.decode(header.get(), field);
        };
        Place.InFile place = notes.place(field.tree().line(), field.path());
        if (notes.errors() > errorsBefore) {
            refused.add(key);
        } else {
            Place first = seen.putIfAbsent(key, place);
            if (first == null) {
                objects.add(new Placed(object, place));
            } else {
                field.refuse(duplicate(key, first));
            }
        }
        notes.endObject(field.tree().line());
    }

    /** The rule that a second object of the same name breaks. */
    public static String duplicate(ObjectKey key, Place first) {
        return key + " is already defined at " + first + ", which stays in force; remove one of the two";
    }
}
