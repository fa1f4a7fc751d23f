package io.dualstackd.kubeapi.access;

import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.ProblemCollector;
import io.dualstackd.kubeapi.tree.YamlText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Kubeconfig files, merged as kubectl merges them: the first file that defines a name or {@code current-context} takes precedence. Only
 * what the current context refers to is validated; mistakes elsewhere are ignored.
 */
public final class Kubeconfig {
    /** A named entry and the file it is from. */
    record Entry(Field field, KubeconfigFile file) {}

    private final Map<String, Entry> clusters = new LinkedHashMap<>();
    private final Map<String, Entry> contexts = new LinkedHashMap<>();
    private final Map<String, Entry> users = new LinkedHashMap<>();
    private Optional<Field> current = Optional.empty();
    private final String files;

    private Kubeconfig(List<KubeconfigFile> files) {
        this.files = String.join(", ", files.stream().map(KubeconfigFile::path).toList());
    }

    /** @throws AccessException if one of them is not a kubeconfig */
    public static Kubeconfig of(List<KubeconfigFile> files) throws AccessException {
        Kubeconfig config = new Kubeconfig(files);
        for (KubeconfigFile file : files) {
            config.add(file);
        }
        return config;
    }

    private void add(KubeconfigFile file) throws AccessException {
        List<Document> documents = YamlText.documents(file.text());
        if (documents.size() > 1) {
            throw new AccessException(
                    file.path() + ": a kubeconfig is a single document, this file has " + documents.size());
        }
        for (Document document : documents) {
            switch (document) {
                case Document.Broken(int number, int line, String rule) ->
                    throw new AccessException(new Place.InFile(file.path(), 0, line, "") + ": " + rule);
                case Document.Parsed(int number, var tree) ->
                    add(file, new Field(tree, "", new ProblemCollector(file.path(), 0)));
            }
        }
    }

    private void add(KubeconfigFile file, Field top) throws AccessException {
        if (top.isObject()) {
            top.text("kind")
                    .filter(kind -> !kind.isEmpty() && !kind.equals("Config"))
                    .ifPresent(kind -> top.field("kind").ifPresent(f -> f.refuse("must be Config")));
            add(file, top, "clusters", clusters);
            add(file, top, "contexts", contexts);
            add(file, top, "users", users);
            if (current.isEmpty()) {
                current = top.field("current-context")
                        .filter(f -> f.asText().filter(t -> !t.isEmpty()).isPresent());
            }
        }
        check(top.problemCollector());
    }

    private static void add(KubeconfigFile file, Field top, String list, Map<String, Entry> into) {
        Map<String, Entry> own = new LinkedHashMap<>();
        for (Field entry : top.objects(list)) {
            String name = entry.textOrEmpty("name");
            if (entry.field("name").isEmpty()) {
                entry.refuseMissing("name", "required");
            } else if (own.put(name, new Entry(entry, file)) != null) {
                entry.field("name").ifPresent(f -> f.refuse("another entry of this list has the same name"));
            }
        }
        own.forEach(into::putIfAbsent);
    }

    /**
     * Returns the values of the current context.
     *
     * @param master address of the server, in place of the one in the kubeconfig
     * @throws AccessException if the context is invalid
     */
    public SelectedContext choose(Optional<String> master) throws AccessException {
        Field named = current.orElseThrow(
                () -> new AccessException(files + ": current-context is not set; " + known("contexts", contexts)));
        Entry context = find(contexts, named, "contexts");
        Field inner = inner(context, "context");
        Optional<Field> cluster = inner.field("cluster").filter(f -> f.asText().isPresent());
        Optional<Field> user = inner.field("user")
                .filter(f -> f.asText().filter(t -> !t.isEmpty()).isPresent());
        if (cluster.isEmpty() && master.isEmpty()) {
            inner.refuseMissing("cluster", "required: the name of an entry of clusters");
        }
        check(inner.problemCollector());
        Optional<KubeconfigCluster> where = Optional.empty();
        if (cluster.isPresent()) {
            Entry entry = find(clusters, cluster.get(), "clusters");
            where = Optional.of(KubeconfigCluster.read(inner(entry, "cluster"), entry.file));
        }
        KubeconfigUser credentials = KubeconfigUser.ANONYMOUS;
        if (user.isPresent()) {
            Entry entry = find(users, user.get(), "users");
            credentials = KubeconfigUser.read(inner(entry, "user"), entry.file);
        }
        KubeconfigCluster part = where.orElse(KubeconfigCluster.NOTHING);
        return part.with(master, credentials);
    }

    /**
     * Returns a context for a server without a kubeconfig.
     *
     * @throws AccessException if that is not a valid server address
     */
    public static SelectedContext only(String master) throws AccessException {
        return KubeconfigCluster.NOTHING.with(Optional.of(master), KubeconfigUser.ANONYMOUS);
    }

    private Entry find(Map<String, Entry> entries, Field name, String list) throws AccessException {
        Entry entry = entries.get(name.raw());
        if (entry == null) {
            name.refuse("there is no such entry; " + known(list, entries));
            check(name.problemCollector());
            throw new IllegalStateException("a refusal was just noted");
        }
        return entry;
    }

    private static String known(String list, Map<String, Entry> entries) {
        return entries.isEmpty() ? list + " is empty" : list + " has " + String.join(", ", entries.keySet());
    }

    private static Field inner(Entry entry, String name) throws AccessException {
        Optional<Field> inner = entry.field.object(name);
        if (inner.isEmpty() && entry.field.field(name).isEmpty()) {
            entry.field.refuseMissing(name, "required");
        }
        check(entry.field.problemCollector());
        return inner.orElse(entry.field);
    }

    /** @throws AccessException with all errors */
    static void check(ProblemCollector problemCollector) throws AccessException {
        List<String> errors = problemCollector.problems().stream()
                .filter(Problem::isError)
                .map(Problem::toString)
                .toList();
        if (!errors.isEmpty()) {
            throw new AccessException(String.join("\n", errors));
        }
    }
}
