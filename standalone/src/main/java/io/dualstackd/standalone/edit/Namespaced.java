package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.print.TreeOutput;
import io.dualstackd.kubeapi.print.YamlPrint;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sets the namespace of objects that name none; a reader would put them into {@code default}. */
final class Namespaced {
    private static final Pattern FLOW = Pattern.compile("(?m)^(metadata:[ \\t]*\\{)");
    private static final Pattern BLOCK =
            Pattern.compile("(?m)^(metadata:[ \\t]*(?:#.*)?\\r?\\n)((?:[ \\t]*(?:#.*)?\\r?\\n)*)([ ]+)");

    private Namespaced() {}

    /** The object with its namespace, and with its kind. */
    static Tree.Mapping placed(Tree.Mapping object, ObjectKey key) {
        Tree.Mapping typed = typed(object, key);
        return key.namespace().isEmpty() ? typed : named(typed, key.namespace());
    }

    /** The object as it can stand by itself: with its namespace unless that is {@code default}, and with its kind. */
    static Tree.Mapping alone(Tree.Mapping object, ObjectKey key) {
        return key.namespace().equals("default") ? typed(object, key) : placed(object, key);
    }

    /** The object with its kind, which an item of a list may leave out. */
    private static Tree.Mapping typed(Tree.Mapping object, ObjectKey key) {
        if (object.entries().containsKey("kind") && object.entries().containsKey("apiVersion")) {
            return object;
        }
        Map<String, Tree> sorted = new TreeMap<>(object.entries());
        sorted.putIfAbsent("apiVersion", Tree.of(key.kind().apiVersion()));
        sorted.putIfAbsent("kind", Tree.of(key.kind().toString()));
        return new Tree.Mapping(sorted, object.line());
    }

    static String text(String text, String namespace) {
        if (namespace.equals("default")) {
            return text;
        }
        FileText documents = FileText.of(text);
        Map<FileText.Piece, Optional<String>> changes = new LinkedHashMap<>();
        for (FileText.Piece piece : documents.pieces()) {
            Optional<Tree.Mapping> tree = single(piece.body());
            if (tree.filter(Namespaced::wants).isPresent()) {
                changes.put(piece, body(piece, inserted(piece.body(), tree.get(), namespace)));
            } else if (tree.filter(Namespaced::isList).isPresent()) {
                changes.put(piece, body(piece, list(piece.body(), tree.get(), namespace)));
            }
        }
        return changes.isEmpty() ? text : documents.with(changes, List.of());
    }

    private static Optional<String> body(FileText.Piece piece, String body) {
        // A document that began on the line of its marker still begins with one.
        String marker = FileText.isMarked(piece.body()) && !FileText.isMarked(body) ? "---\n" : "";
        return Optional.of(marker + FileText.keepingHead(piece.body(), body));
    }

    private static Optional<Tree.Mapping> single(String body) {
        return Trees.of(body).only();
    }

    /** Whether its kind is namespaced and it names no namespace. */
    private static boolean wants(Tree.Mapping object) {
        boolean namespaced = Stream.of(ObjectKey.Kind.values())
                .anyMatch(kind -> kind.namespaced()
                        && word(object.entries().get("kind")).equals(kind.toString())
                        && word(object.entries().get("apiVersion")).equals(kind.apiVersion()));
        return namespaced
                && object.entries().get("metadata") instanceof Tree.Mapping metadata
                && word(metadata.entries().get("namespace")).isEmpty();
    }

    private static boolean isList(Tree.Mapping object) {
        return Manifests.isList(word(object.entries().get("kind")));
    }

    private static String word(@Nullable Tree tree) {
        return tree instanceof Tree.Scalar scalar && !scalar.is(Tree.Type.NULL) ? scalar.text() : "";
    }

    /** Inserts the namespace into the text where that is unambiguous, keeping its comments; otherwise prints the object anew. */
    private static String inserted(String body, Tree.Mapping tree, String namespace) {
        boolean absent = tree.entries().get("metadata") instanceof Tree.Mapping metadata
                && !metadata.entries().containsKey("namespace");
        Matcher block = BLOCK.matcher(body);
        Matcher flow = FLOW.matcher(body);
        Optional<String> guess = Optional.empty();
        if (absent && block.find()) {
            guess = Optional.of(block.replaceFirst("$1$2$3namespace: " + namespace + "\n$3"));
        } else if (absent && flow.find()) {
            guess = Optional.of(flow.replaceFirst("$1namespace: " + namespace + ", "));
        }
        Tree.Mapping meant = named(TreeOutput.object(tree), namespace);
        return guess.filter(text -> single(text)
                        .map(read -> TreeOutput.object(read).equals(meant))
                        .orElse(false))
                .orElseGet(() -> YamlPrint.of(meant));
    }

    private static String list(String body, Tree.Mapping list, String namespace) {
        List<Tree> items = new ArrayList<>();
        boolean changed = false;
        for (Tree item : Trees.of(body).items()) {
            if (item instanceof Tree.Mapping object) {
                changed |= wants(object);
                Tree.Mapping shown = TreeOutput.object(object);
                items.add(wants(object) ? named(shown, namespace) : shown);
            }
        }
        return changed ? YamlPrint.of(TreeOutput.object(list).with("items", items)) : body;
    }

    /** Returns the same object in this namespace. */
    static Tree.Mapping named(Tree.Mapping object, String namespace) {
        if (!(object.entries().get("metadata") instanceof Tree.Mapping metadata)) {
            return object;
        }
        Map<String, Tree> sorted = new TreeMap<>(metadata.entries());
        sorted.put("namespace", Tree.of(namespace));
        return object.with("metadata", sorted);
    }
}
