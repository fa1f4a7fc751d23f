package io.dualstackd.agent.config;

import io.dualstackd.agent.tree.Document;
import io.dualstackd.agent.tree.Place;
import io.dualstackd.agent.tree.Problem;
import io.dualstackd.agent.tree.Tree;
import io.dualstackd.agent.tree.YamlText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The keys that a file gives, as text; its unknown keys are problems. */
final class ConfigFile {
    private static final String API_VERSION = "kubeproxy.config.k8s.io/v1alpha1";
    private static final String KIND = "KubeProxyConfiguration";

    /** Keys of kube-proxy that mean nothing here yet; a file that works for it must not fail for us. */
    private static final Set<String> UNUSED = Set.of(
            "featureGates",
            "clientConnection",
            "logging",
            "enableProfiling",
            "enableContentionProfiling",
            "showHiddenMetricsForVersion",
            "ipvs",
            "winkernel",
            "oomScoreAdj",
            "configSyncPeriod",
            "portRange",
            "windowsRunAsService");

    private final String file;
    private final Map<Key, Given> given = new EnumMap<>(Key.class);
    private final List<Problem> problems;

    private ConfigFile(String file, List<Problem> problems) {
        this.file = file;
        this.problems = problems;
    }

    static Map<Key, Given> read(String file, String text, List<Problem> problems) {
        ConfigFile reader = new ConfigFile(file, problems);
        List<Document> documents = YamlText.documents(text);
        if (documents.size() > 1) {
            problems.add(
                    Problem.error(Place.InFile.whole(file), "", "must be a single document, not " + documents.size()));
        }
        documents.stream().limit(1).forEach(reader::document);
        return reader.given;
    }

    private void document(Document document) {
        switch (document) {
            case Document.Broken(int number, int line, String rule) -> refuse(line, "", "", rule);
            case Document.Parsed(int number, Tree.Mapping top) -> section(top, "");
            case Document.Parsed(int number, Tree other) ->
                refuse(other.line(), "", "", "must be an object, not " + other.kind());
        }
    }

    private void section(Tree.Mapping mapping, String prefix) {
        mapping.entries().forEach((name, value) -> entry(prefix + name, value));
    }

    private void entry(String path, Tree value) {
        Optional<Key> key = Key.ofPath(path);
        if (key.isPresent()) {
            value(key.get(), value).ifPresent(text -> given.put(key.get(), new Given(text, place(value.line(), path))));
        } else if (path.equals("apiVersion") || path.equals("kind")) {
            header(path, value);
        } else if (isSection(path)) {
            switch (value) {
                case Tree.Mapping mapping -> section(mapping, path + ".");
                case Tree.Scalar scalar when scalar.is(Tree.Type.NULL) -> {}
                case Tree other -> refuse(other.line(), path, raw(other), "must be an object, not " + other.kind());
            }
        } else if (UNUSED.contains(path)) {
            problems.add(Problem.warning(place(value.line(), path), "", "not used by this version, ignored"));
        } else {
            refuse(value.line(), path, raw(value), "unknown key" + suggestion(path));
        }
    }

    private void header(String path, Tree value) {
        String wanted = path.equals("kind") ? KIND : API_VERSION;
        if (!raw(value).equals(wanted)) {
            refuse(value.line(), path, raw(value), "must be " + wanted + " or left out");
        }
    }

    /** Scalars as they are, lists of scalars joined by commas, null as if it were not there. */
    private Optional<String> value(Key key, Tree value) {
        return switch (value) {
            case Tree.Scalar scalar -> scalar.is(Tree.Type.NULL) ? Optional.empty() : Optional.of(scalar.text());
            case Tree.Sequence(var items, int line)
            when key.isList() && items.stream().allMatch(i -> i instanceof Tree.Scalar) ->
                Optional.of(items.stream().map(ConfigFile::raw).collect(Collectors.joining(",")));
            case Tree other -> {
                refuse(
                        other.line(),
                        key.path(),
                        "",
                        "must be " + (key.isList() ? "a list of values" : "a single value") + ", not " + other.kind());
                yield Optional.empty();
            }
        };
    }

    private static boolean isSection(String path) {
        return Arrays.stream(Key.values()).anyMatch(k -> k.path().startsWith(path + "."));
    }

    private static String suggestion(String path) {
        Set<String> known = new TreeSet<>(UNUSED);
        for (Key key : Key.values()) {
            known.add(key.path());
            known.add(key.path().replaceFirst("\\..*", ""));
        }
        return Similar.to(path, new ArrayList<>(known))
                .map(k -> "; did you mean " + k + "?")
                .orElse("");
    }

    private static String raw(Tree value) {
        return value instanceof Tree.Scalar scalar ? scalar.text() : "";
    }

    private Place.InFile place(int line, String path) {
        return new Place.InFile(file, 0, line, path);
    }

    private void refuse(int line, String path, String value, String rule) {
        problems.add(Problem.error(place(line, path), value, rule));
    }
}
