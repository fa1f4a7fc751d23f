package io.dualstackd.kubeapi.tree;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a text that is already in memory. */
public final class YamlText {
    private YamlText() {}

    /** Notified of duplicate keys of an object. */
    public interface Twice {
        /**
         * @param path of the key from the top of the document
         * @param line of the later one, counted from 1
         * @param firstLine of the earlier one
         */
        void found(String path, int line, int firstLine);
    }

    /** As {@link #documents(String)}, but of duplicate keys of an object the last one counts, and {@code twice} is notified. */
    public static List<Document> documents(String text, Twice twice) {
        return read(text, Optional.of(twice));
    }

    /** The documents of a text, in order; those with only comments are left out, and one with a duplicate key is broken. */
    public static List<Document> documents(String text) {
        return read(text, Optional.empty());
    }

    private static List<Document> read(String text, Optional<Twice> twice) {
        List<Document> documents = new ArrayList<>();
        List<Tree> items = new ArrayList<>();
        List<Document.Broken> broken = new ArrayList<>();
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
            public void twice(int document, String path, int line, int firstLine) {
                twice.ifPresentOrElse(
                        listener -> listener.found(path, line, firstLine),
                        () -> broken.add(new Document.Broken(
                                document, line, "key \"" + path + "\" occurs twice in the same object")));
            }

            @Override
            public void document(Document document) {
                documents.add(broken.isEmpty() ? whole(document, items) : broken.getFirst());
                items.clear();
                broken.clear();
            }
        });
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        reader.feed(bytes, bytes.length);
        reader.finish();
        return List.copyOf(documents);
    }

    private static Document whole(Document document, List<Tree> items) {
        return switch (document) {
            case Document.Parsed(int number, Tree.Mapping top)
            when top.entries().get(TreeReader.ITEMS) instanceof Tree.Sequence list && !items.isEmpty() ->
                new Document.Parsed(number, top.with(TreeReader.ITEMS, new Tree.Sequence(items, list.line())));
            case Document.Parsed parsed -> parsed;
            case Document.Broken broken -> broken;
        };
    }
}
