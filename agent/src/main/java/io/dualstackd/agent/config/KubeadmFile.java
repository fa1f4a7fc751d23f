package io.dualstackd.agent.config;

import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.YamlText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads what a kubeadm {@code ClusterConfiguration} says about networks and feature gates. Its other fields and the other documents of the
 * file are named as ignored.
 */
final class KubeadmFile {
    private static final String KIND = "ClusterConfiguration";
    private static final String GROUP = "kubeadm.k8s.io/";

    /** The settings by their paths in the file. */
    private static final Map<String, String> PATHS = Map.of(
            "networking.podSubnet", Key.CLUSTER_CIDR.path(),
            "networking.serviceSubnet", Key.SERVICE_CLUSTER_IP_RANGE.path(),
            "networking.dnsDomain", Key.OWN + "dnsDomain",
            "featureGates", Key.FEATURE_GATES.path());

    private final String file;
    private final boolean standalone;
    private final Map<Key, ConfigValue> given = new EnumMap<>(Key.class);
    private final List<Problem> problems;
    private final List<String> ignored = new ArrayList<>();
    private boolean found;

    private KubeadmFile(String file, boolean standalone, List<Problem> problems) {
        this.file = file;
        this.standalone = standalone;
        this.problems = problems;
    }

    /** @param standalone whether there is no API server: otherwise it is the one that allocates addresses for Services */
    static Map<Key, ConfigValue> read(String file, String text, boolean standalone, List<Problem> problems) {
        KubeadmFile reader = new KubeadmFile(file, standalone, problems);
        YamlText.documents(text).forEach(reader::document);
        reader.finish();
        return reader.given;
    }

    private void document(Document document) {
        switch (document) {
            case Document.Broken(int number, int line, String rule) ->
                problems.add(Problem.error(new Place.InFile(file, number, line, ""), "", rule));
            case Document.Parsed(int number, Tree.Mapping top) -> {
                String kind = text(top, "kind");
                if (!kind.equals(KIND) || !text(top, "apiVersion").startsWith(GROUP)) {
                    ignored.add("document " + number + (kind.isEmpty() ? "" : " (" + kind + ")"));
                } else if (found) {
                    problems.add(Problem.error(
                            new Place.InFile(file, number, top.line(), ""), "", "must be the only " + KIND));
                } else {
                    found = true;
                    section(top, "", number);
                }
            }
            case Document.Parsed(int number, Tree other) -> ignored.add("document " + number);
        }
    }

    private static String text(Tree.Mapping top, String name) {
        return top.entries().get(name) instanceof Tree.Scalar scalar ? scalar.text() : "";
    }

    private void section(Tree.Mapping section, String prefix, int number) {
        section.entries().forEach((name, value) -> {
            String path = prefix + name;
            if (path.equals("apiVersion") || path.equals("kind") || value.is(Tree.Type.NULL)) {
                return;
            }
            Optional<Key> key =
                    Optional.ofNullable(PATHS.get(path)).flatMap(Key::ofPath).filter(this::counts);
            if (key.isPresent()) {
                value(key.get(), path, value, number);
            } else if (path.equals("networking") && value instanceof Tree.Mapping networking) {
                section(networking, path + ".", number);
            } else {
                ignored.add(path);
            }
        });
    }

    private boolean counts(Key key) {
        return standalone || key.settingGroup() == SettingGroup.RULES;
    }

    private void value(Key key, String path, Tree value, int number) {
        Place.InFile place = new Place.InFile(file, number, value.line(), path);
        Optional<String> text = switch (value) {
            case Tree.Scalar scalar when !key.isMap() -> Optional.of(scalar.text());
            case Tree.Mapping(var entries, int line, var _)
            when key.isMap() ->
                Optional.of(entries.entrySet().stream()
                        .map(entry -> entry.getKey() + "="
                                + (entry.getValue() instanceof Tree.Scalar scalar
                                        ? GoText.yamlTruth(scalar.text())
                                        : ""))
                        .collect(Collectors.joining(",")));
            case Tree ignoredTree -> Optional.empty();
        };
        text.ifPresentOrElse(
                present -> given.put(key, new ConfigValue(present, place)),
                () -> problems.add(Problem.error(
                        place, "", "must be " + (key.isMap() ? "an object" : "a text") + ", not " + value.kind())));
    }

    private void finish() {
        if (!found) {
            problems.add(Problem.error(
                    Place.InFile.whole(file), "", "must contain a " + KIND + " of " + GROUP + "v1beta3 or v1beta4"));
        } else if (!ignored.isEmpty()) {
            problems.add(Problem.warning(
                    Place.InFile.whole(file), "", "not used here, ignored: " + String.join(", ", ignored)));
        }
    }
}
