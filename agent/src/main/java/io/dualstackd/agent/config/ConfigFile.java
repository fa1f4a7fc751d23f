package io.dualstackd.agent.config;

import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Suggestion;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.YamlText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads the keys of a file as text; anything else in it is a problem. */
final class ConfigFile {
    private final ConfigSchema form;
    private final String file;
    private final Map<Key, ConfigValue> given = new EnumMap<>(Key.class);
    private final List<Problem> problems;

    private ConfigFile(ConfigSchema form, String file, List<Problem> problems) {
        this.form = form;
        this.file = file;
        this.problems = problems;
    }

    static Map<Key, ConfigValue> read(ConfigSchema form, String file, String text, List<Problem> problems) {
        ConfigFile reader = new ConfigFile(form, file, problems);
        List<Document> documents = form.lenient() ? YamlText.documents(text, reader::twice) : YamlText.documents(text);
        if (documents.size() > 1) {
            problems.add(
                    Problem.error(Place.InFile.whole(file), "", "must be a single document, not " + documents.size()));
        }
        documents.stream().limit(1).forEach(reader::document);
        return reader.given;
    }

    private void twice(String path, int line, int firstLine) {
        warn(line, path, "", "occurs twice in the same object; the last one counts");
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

    /** @param path in this file; in our own file it lacks the prefix */
    private void entry(String path, Tree value) {
        String full = form.prefix() + path;
        Optional<Key> key = Key.ofPath(full);
        if (key.isPresent()) {
            value(key.get(), path, value)
                    .filter(text -> !(key.get().isZeroUnsaid() && isZero(text)))
                    .ifPresent(text -> given.put(key.get(), new ConfigValue(text, place(value.line(), path))));
        } else if (path.equals("apiVersion") || path.equals("kind")) {
            header(path, value);
        } else if (isSection(full)) {
            switch (value) {
                case Tree.Mapping mapping -> section(mapping, path + ".");
                case Tree.Scalar scalar when scalar.is(Tree.Type.NULL) -> {}
                case Tree other -> refuse(other.line(), path, raw(other), "must be an object, not " + other.kind());
            }
        } else if (form.unused().contains(path)) {
            if (!isBlank(value)) {
                warn(value.line(), path, raw(value), "has no effect here");
            }
        } else if (form.isLenient(full)) {
            warn(value.line(), path, raw(value), "unknown field, ignored" + suggestion(path));
        } else {
            refuse(value.line(), path, raw(value), "unknown key" + suggestion(path));
        }
    }

    private void header(String path, Tree value) {
        String wanted = path.equals("kind") ? form.kind() : form.apiVersion();
        if (!raw(value).equals(wanted)) {
            refuse(value.line(), path, raw(value), "must be " + wanted + " or left out");
        }
    }

    /** Scalars as they are, lists of scalars joined by commas, null as if it were absent. */
    private Optional<String> value(Key key, String path, Tree value) {
        return switch (value) {
            case Tree.Scalar scalar when scalar.is(Tree.Type.NULL) -> Optional.empty();
            case Tree.Scalar scalar
            when key.isSwitch() && !key.path().startsWith(Key.OWN) -> Optional.of(GoText.yamlTruth(scalar.text()));
            case Tree.Scalar scalar when !key.isMap() -> Optional.of(scalar.text());
            case Tree.Sequence(var items, int line)
            when key.isList() && items.stream().allMatch(i -> i instanceof Tree.Scalar) ->
                Optional.of(items.stream().map(ConfigFile::raw).collect(Collectors.joining(",")));
            case Tree.Mapping(var entries, int line, var _)
            when key.isMap() && entries.values().stream().allMatch(i -> i instanceof Tree.Scalar) ->
                Optional.of(entries.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + GoText.yamlTruth(raw(entry.getValue())))
                        .collect(Collectors.joining(",")));
            case Tree other -> {
                refuse(other.line(), path, "", "must be " + shape(key) + ", not " + other.kind());
                yield Optional.empty();
            }
        };
    }

    private static String shape(Key key) {
        return key.isMap() ? "an object of values" : key.isList() ? "a list of values" : "a single value";
    }

    private static boolean isSection(String path) {
        return Arrays.stream(Key.values()).anyMatch(k -> k.path().startsWith(path + "."));
    }

    /** Whether the value means the same as if it were absent: generated files write out every field. */
    private static boolean isBlank(Tree value) {
        return switch (value) {
            case Tree.Scalar scalar ->
                scalar.is(Tree.Type.NULL)
                        || scalar.text().isBlank()
                        || isZero(scalar.text())
                        || GoText.yamlTruth(scalar.text()).equals("false");
            case Tree.Sequence(var items, int line) -> items.isEmpty();
            case Tree.Mapping(var entries, int line, var _) ->
                entries.values().stream().allMatch(ConfigFile::isBlank);
        };
    }

    private static boolean isZero(String text) {
        return text.matches("0+(\\.0+)?")
                || Durations.parse(text).filter(d -> d.isZero()).isPresent();
    }

    private String suggestion(String path) {
        Set<String> known = new TreeSet<>(form.unused());
        for (Key key : Key.values()) {
            if (!key.path().isEmpty() && key.path().startsWith(form.prefix())) {
                String own = key.path().substring(form.prefix().length());
                known.add(own);
                known.add(own.replaceFirst("\\..*", ""));
            }
        }
        return Suggestion.to(path, new ArrayList<>(known))
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

    private void warn(int line, String path, String value, String rule) {
        problems.add(Problem.warning(place(line, path), value, rule));
    }
}
