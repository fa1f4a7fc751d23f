package io.dualstackd.kubeapi.tree;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads a text that is already in memory. */
public final class YamlText {
    private YamlText() {}

    /** Notified of duplicate keys of an object. */
    public interface Twice {
        /** @param line of the later one, counted from 1 */
        void found(String key, int line);
    }

    /** As {@link #documents(String)}, but of duplicate keys of an object the last one counts, and {@code twice} is notified. */
    public static List<Document> documents(String text, Twice twice) {
        List<Document> strict = documents(text);
        return strict.size() == 1 && strict.getFirst() instanceof Document.Broken
                ? TreeReader.read(text, twice).stream().toList()
                : strict;
    }

    /** The documents of a text, in order; those with only comments are left out. */
    public static List<Document> documents(String text) {
        List<Document> documents = new ArrayList<>();
        List<Tree> items = new ArrayList<>();
        DocumentReader reader = new DocumentReader(new DocumentReader.Listener() {
            @Override
            public void item(int document, Tree item) {
                items.add(item);
            }

            @Override
            public void again(int document) {
                items.clear();
            }

            @Override
            public void document(Document document) {
                documents.add(whole(document, items));
                items.clear();
            }
        });
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        reader.feed(bytes, bytes.length);
        reader.finish();
        return List.copyOf(documents);
    }

    static Document whole(Document document, List<Tree> items) {
        return switch (document) {
            case Document.Parsed(int number, Tree.Mapping top)
            when top.entries().get(TreeReader.ITEMS) instanceof Tree.Sequence list && !items.isEmpty() ->
                new Document.Parsed(number, top.with(TreeReader.ITEMS, new Tree.Sequence(items, list.line())));
            case Document.Parsed parsed -> parsed;
            case Document.Broken broken -> broken;
        };
    }
}
