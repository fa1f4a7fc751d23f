package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.YamlText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects of a text as they are written, by place. */
record Trees(Map<Integer, Tree> documents) {
    static Trees of(String text) {
        Map<Integer, Tree> documents = new HashMap<>();
        for (Document document : YamlText.documents(text, (path, line, first) -> {})) {
            if (document instanceof Document.Parsed(int number, Tree tree)) {
                documents.put(number, tree);
            }
        }
        return new Trees(documents);
    }

    /** The object at this place; empty when there is none any more. */
    Optional<Tree.Mapping> at(Place.InFile place) {
        int item = item(place);
        Tree tree = documents.get(place.document());
        if (item >= 0) {
            List<Tree> list = items(place.document());
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
        return items(1);
    }

    private List<Tree> items(int document) {
        return documents.get(document) instanceof Tree.Mapping top
                        && top.entries().get("items") instanceof Tree.Sequence list
                ? list.items()
                : List.of();
    }

    /** Its index in the List that contains it; -1 when it is not in a List. */
    static int item(Place.InFile place) {
        int end = place.field().indexOf(']');
        return place.field().startsWith("items[") && end > 0
                ? Integer.parseInt(place.field().substring("items[".length(), end))
                : -1;
    }
}
