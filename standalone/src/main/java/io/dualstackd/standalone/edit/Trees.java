package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.DocumentReader;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects of a text as they are written, by place. */
final class Trees implements DocumentReader.Listener {
    private final Map<Integer, Tree> documents = new HashMap<>();
    private final Map<Integer, List<Tree>> items = new HashMap<>();

    private Trees() {}

    static Trees of(String text) {
        Trees trees = new Trees();
        DocumentReader reader = new DocumentReader(trees);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        reader.feed(bytes, bytes.length);
        reader.finish();
        return trees;
    }

    /** The object at this place; empty when there is none any more. */
    Optional<Tree.Mapping> at(Place.InFile place) {
        int item = item(place);
        Tree tree = documents.get(place.document());
        if (item >= 0) {
            List<Tree> list = items.getOrDefault(place.document(), List.of());
            tree = item < list.size() ? list.get(item) : null;
        }
        return tree instanceof Tree.Mapping mapping ? Optional.of(mapping) : Optional.empty();
    }

    /** The document of a text that has exactly one. */
    Optional<Tree.Mapping> only() {
        return documents.size() == 1 && documents.get(1) instanceof Tree.Mapping mapping
                ? Optional.of(mapping)
                : Optional.empty();
    }

    /** The items of the first document. */
    List<Tree> items() {
        return items.getOrDefault(1, List.of());
    }

    /** Its index in the List that contains it; -1 when it is not in a List. */
    static int item(Place.InFile place) {
        int end = place.field().indexOf(']');
        return place.field().startsWith("items[") && end > 0
                ? Integer.parseInt(place.field().substring("items[".length(), end))
                : -1;
    }

    @Override
    public void item(int document, Tree tree) {
        items.computeIfAbsent(document, number -> new ArrayList<>()).add(tree);
    }

    @Override
    public void again(int document) {
        items.remove(document);
    }

    @Override
    public void document(Document document) {
        if (document instanceof Document.Parsed(int number, Tree tree)) {
            documents.put(number, tree);
        }
    }
}
