package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.print.TreeOutput;
import io.dualstackd.kubeapi.print.YamlPrint;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request to write objects.
 *
 * @param objects the valid ones, in the order of the text
 * @param refused those that were recognised but are not valid
 * @param problems in the order of the text
 * @param faulty Services that are refused, for further checks
 */
public record EditRequest(
        List<Wanted> objects, Set<ObjectKey> refused, List<Problem> problems, List<LocatedObject> faulty) {
    /**
     * One object.
     *
     * @param locatedObject with its place in the given text
     * @param meant its content, without comments and line breaks
     * @param text as a document of its own, without marker
     */
    public record Wanted(LocatedObject locatedObject, Tree.Mapping meant, String text) {
        public ObjectKey key() {
            return locatedObject.object().key();
        }

        /** Its content with its namespace, even if the text does not name one. */
        Tree.Mapping placed() {
            return Namespaced.placed(meant, key());
        }
    }

    public EditRequest {
        objects = List.copyOf(objects);
        refused = Set.copyOf(refused);
        problems = List.copyOf(problems);
        faulty = List.copyOf(faulty);
    }

    /**
     * Reads a request.
     *
     * @param name of the text, for problems
     * @param namespace of objects without a namespace
     */
    public static EditRequest read(String name, String text, String namespace, Dialect dialect) {
        String placed = Namespaced.text(text, namespace);
        // Of the text as it is given, so that its lines are those of problems.
        Decoded decoded = Manifests.decode(name, text, dialect, namespace);
        FileText given = FileText.of(text);
        FileText documents = FileText.of(placed);
        Trees trees = Trees.of(text);
        List<Wanted> wanted = new ArrayList<>();
        for (LocatedObject object : decoded.objects()) {
            Optional<Tree.Mapping> tree = trees.at(object.place());
            Optional<FileText.Piece> piece = given.at(object.place().line())
                    .map(its -> documents.pieces().get(given.pieces().indexOf(its)));
            if (tree.isPresent() && piece.isPresent()) {
                Tree.Mapping meant = Namespaced.alone(
                        TreeOutput.object(tree.get()), object.object().key());
                String body = Trees.item(object.place()) >= 0
                        ? YamlPrint.of(meant)
                        : bare(piece.get().body());
                wanted.add(new Wanted(object, meant, body));
            }
        }
        return new EditRequest(wanted, decoded.refused(), decoded.problems(), decoded.faulty());
    }

    /** All requests as one. An object that two of them have is a problem: which of the two is meant is not known. */
    public static EditRequest all(List<EditRequest> requests) {
        List<Wanted> objects = new ArrayList<>();
        Set<ObjectKey> refused = new LinkedHashSet<>();
        List<Problem> problems = new ArrayList<>();
        List<LocatedObject> faulty = new ArrayList<>();
        Map<ObjectKey, LocatedObject> places = new HashMap<>();
        for (EditRequest request : requests) {
            refused.addAll(request.refused);
            problems.addAll(request.problems);
            faulty.addAll(request.faulty);
            for (Wanted wanted : request.objects) {
                LocatedObject before = places.putIfAbsent(wanted.key(), wanted.locatedObject());
                if (before == null) {
                    objects.add(wanted);
                } else {
                    problems.add(new Problem(
                            Problem.Severity.ERROR,
                            wanted.locatedObject().place(),
                            wanted.key().toString(),
                            "",
                            "is there twice, first at " + before.place()));
                }
            }
        }
        return new EditRequest(objects, refused, problems, faulty);
    }

    /** Whether there are no problems. */
    public boolean isGood() {
        return problems.stream().noneMatch(Problem::isError);
    }

    /** The same with unknown and duplicate fields as they are to be treated. */
    public EditRequest with(FieldValidation fields) {
        return new EditRequest(objects, refused, fields.on(problems), faulty);
    }

    /** Whether a Service is refused and not among the objects. */
    public boolean isFaulty(ObjectKey key) {
        return faulty.stream().anyMatch(object -> object.object().key().equals(key));
    }

    /** The keys of all objects that were recognised. */
    public List<ObjectKey> keys() {
        List<ObjectKey> keys = new ArrayList<>(objects.stream().map(Wanted::key).toList());
        refused.stream().filter(key -> !keys.contains(key)).sorted().forEach(keys::add);
        return keys;
    }

    /** A body that can follow another marker. */
    private static String bare(String body) {
        String text = body.startsWith("\uFEFF") ? body.substring(1) : body;
        if (text.startsWith("---")) {
            text = text.substring(3).stripLeading();
        }
        int first = 0;
        while (first < text.length() && (text.charAt(first) == '\n' || text.charAt(first) == '\r')) {
            first++;
        }
        return text.substring(first).stripTrailing() + "\n";
    }
}
