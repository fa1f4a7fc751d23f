package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.objects.ApiObject;
import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.print.TreeOutput;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The changes of one file, collected before it is written. */
public final class FileEdit {
    private final String name;
    private final String before;
    private final Dialect dialect;
    private final FileText text;
    private final Trees trees;
    private final Decoded decoded;
    private final Map<FileText.Piece, Optional<String>> changes = new HashMap<>();
    private final Map<FileText.Piece, Map<Integer, Optional<String>>> items = new HashMap<>();
    private final Map<FileText.Piece, Optional<ListText>> lists = new HashMap<>();
    private final List<String> added = new ArrayList<>();

    /**
     * A file with its current text.
     *
     * @param text empty for a file that is not there yet
     */
    public FileEdit(String name, String text, Dialect dialect) {
        this.name = name;
        this.before = text;
        this.dialect = dialect;
        this.text = FileText.of(text);
        this.trees = Trees.of(text);
        this.decoded = Manifests.decode(name, text, dialect);
    }

    /** The result of a request for one object. */
    public enum Done {
        CREATED,
        CONFIGURED,
        UNCHANGED
    }

    /** Thrown when a change is not possible; the message is for people. */
    public static final class Impossible extends Exception {
        private static final long serialVersionUID = 1;

        Impossible(String why) {
            super(why);
        }
    }

    /** Whether the file contains the object, even if invalid. */
    public boolean has(ObjectKey key) {
        return place(key).isPresent();
    }

    /** Whether a part of the file may be any object, because it cannot be read. */
    public boolean isUnclear() {
        return decoded.anonymousRefusals();
    }

    /** Whether there is nothing in the file. */
    public boolean isBlank() {
        return before.isBlank();
    }

    /** The whole text of an object as it is written, with its namespace; empty when the file has changed since. */
    public Optional<Tree.Mapping> whole(ApiObject inForce) {
        return decoded.find(inForce.key())
                .filter(locatedObject -> locatedObject.object().equals(inForce))
                .flatMap(locatedObject -> trees.at(locatedObject.place()))
                .map(tree -> Namespaced.placed(TreeOutput.object(tree), inForce.key()));
    }

    /** The present text of an object as a tree, with its namespace; empty when the file does not have it. */
    public Optional<Tree.Mapping> present(ObjectKey key) {
        return decoded.find(key)
                .flatMap(locatedObject -> trees.at(locatedObject.place()))
                .map(tree -> Namespaced.placed(TreeOutput.object(tree), key));
    }

    /** Writes an object: in place of its present text, or at the end. */
    public Done put(EditRequest.Wanted wanted) throws Impossible {
        Optional<Place.InFile> place = place(wanted.key());
        if (place.isEmpty()) {
            added.add(wanted.text());
            return Done.CREATED;
        }
        boolean same = decoded.find(wanted.key()).isPresent()
                && trees.at(place.get())
                        .map(tree -> Namespaced.placed(TreeOutput.object(tree), wanted.key())
                                .equals(wanted.placed()))
                        .orElse(false);
        if (same) {
            return Done.UNCHANGED;
        }
        FileText.Piece piece = piece(wanted.key(), place.get());
        int item = Trees.item(place.get());
        if (item < 0) {
            boolean json = name.endsWith(".json") && piece.body().stripLeading().startsWith("{");
            changes.put(
                    piece,
                    Optional.of(
                            json
                                    ? JsonPrint.indented(wanted.meant())
                                    : FileText.keepingComments(piece.body(), wanted.text())));
        } else {
            change(piece, item, Optional.of(list(wanted.key(), place.get()).keepingHead(item, wanted.text())));
        }
        return Done.CONFIGURED;
    }

    /** The text of an object with its comments, even if it is invalid; empty when the file does not have it. */
    public Optional<String> text(ObjectKey key) throws Impossible {
        Optional<Place.InFile> place = place(key);
        if (place.isEmpty()) {
            return Optional.empty();
        }
        int item = Trees.item(place.get());
        if (item < 0) {
            return Optional.of(piece(key, place.get()).body());
        }
        String text = list(key, place.get()).item(item);
        Set<String> fields =
                trees.at(place.get()).map(tree -> tree.entries().keySet()).orElse(Set.of("kind"));
        if (fields.contains("kind")) {
            return Optional.of(text);
        }
        // An item of a list that names the type of its items.
        String version = key.kind().apiVersion();
        return Optional.of(
                text.startsWith("{")
                        ? "{\"apiVersion\": \"" + version + "\", \"kind\": \"" + key.kind() + "\", " + text.substring(1)
                        : "apiVersion: " + version + "\nkind: " + key.kind() + "\n" + text);
    }

    /** Replaces the text of an object that the file has by exactly this one. */
    public void replace(ObjectKey key, String edited) throws Impossible {
        Optional<Place.InFile> place = place(key);
        if (place.isPresent()) {
            change(piece(key, place.get()), Trees.item(place.get()), Optional.of(edited));
        }
    }

    /** Removes an object. */
    public void remove(ObjectKey key) throws Impossible {
        Optional<Place.InFile> place = place(key);
        if (place.isPresent()) {
            if (Trees.item(place.get()) >= 0) {
                list(key, place.get());
            }
            change(piece(key, place.get()), Trees.item(place.get()), Optional.empty());
        }
    }

    /** The place of the object in the file, even if it is invalid there. */
    private Optional<Place.InFile> place(ObjectKey key) {
        return decoded.find(key)
                .map(LocatedObject::place)
                .or(() -> decoded.problems().stream()
                        .filter(problem -> problem.object().equals(key.toString()))
                        .flatMap(problem -> problem.place() instanceof Place.InFile place && place.line() > 0
                                ? Optional.of(place).stream()
                                : Optional.<Place.InFile>empty().stream())
                        .findFirst());
    }

    /** Notes the new text of a document, or of an item of one that is a List. */
    private void change(FileText.Piece piece, int item, Optional<String> after) {
        if (item < 0) {
            changes.put(piece, after);
        } else {
            items.computeIfAbsent(piece, _ -> new TreeMap<>()).put(item, after);
        }
    }

    private ListText list(ObjectKey key, Place.InFile place) throws Impossible {
        FileText.Piece piece = piece(key, place);
        Optional<ListText> list = lists.computeIfAbsent(piece, of -> ListText.of(of.body()));
        return list.orElseThrow(() -> new Impossible(key + " stands in a List at " + place
                + " that cannot be changed in part; give it a document of its own"));
    }

    private FileText.Piece piece(ObjectKey key, Place.InFile place) throws Impossible {
        return text.at(place.line()).orElseThrow(() -> new Impossible(key + " is not found any more in " + name));
    }

    /** Whether the text would change. */
    public boolean isChange() {
        return !changes.isEmpty() || !items.isEmpty() || !added.isEmpty();
    }

    /** The text as it was. */
    public String before() {
        return before;
    }

    /** The new text; empty when nothing is left in it. */
    public Optional<String> after() {
        Map<FileText.Piece, Optional<String>> bodies = new HashMap<>(changes);
        bodies.putAll(ListText.bodies(items));
        return Optional.of(text.with(bodies, added)).filter(result -> !result.isBlank());
    }

    /** The decoded new text. */
    public Decoded decoded() {
        return after().map(result -> Manifests.decode(name, result, dialect)).orElse(Decoded.NOTHING);
    }

    /** The problems of the new text that the old one did not have. */
    public List<Problem> worse(Decoded after) {
        Set<List<String>> known = new HashSet<>();
        decoded.problems().forEach(problem -> known.add(same(problem)));
        return after.problems().stream()
                .filter(problem -> problem.isError() && !known.contains(same(problem)))
                .toList();
    }

    /** The identity of a problem, without its line: lines move. */
    private static List<String> same(Problem problem) {
        String field = problem.place() instanceof Place.InFile place ? place.field() : "";
        return List.of(problem.object(), field, problem.value());
    }
}
