package io.dualstackd.standalone.serviceapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Document;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.kubeapi.tree.YamlText;
import io.dualstackd.standalone.serviceapi.ServiceRules.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Services written as YAML, and the results of their validation as text. */
final class ServiceFixtures {
    static final String PORT = "ports: [{port: 80}]";

    private ServiceFixtures() {}

    /** @param spec between the braces of {@code spec: {}} */
    static Tree.Mapping service(String spec) {
        return object("metadata: {name: web}, spec: {" + spec + "}");
    }

    static Tree.Mapping object(String rest) {
        List<Document> documents = YamlText.documents("{apiVersion: v1, kind: Service, " + rest + "}");
        assertThat(documents).hasSize(1);
        return (Tree.Mapping) ((Document.Parsed) documents.getFirst()).tree();
    }

    /** A Service of which only the families matter. */
    static Tree.Mapping withFamilies(FamilyFields fields, boolean hasSelector) {
        Draft object = new Draft(service((hasSelector ? "selector: {app: web}, " : "") + PORT));
        Draft spec = object.object("spec");
        ServiceTree.putClusterIps(spec, fields.clusterIp(), fields.clusterIps());
        if (!fields.ipFamilies().isEmpty()) {
            spec.putTexts(
                    "ipFamilies",
                    fields.ipFamilies().stream().map(Object::toString).toList());
        }
        fields.policy().ifPresent(policy -> spec.put("ipFamilyPolicy", policy.toString()));
        object.put("spec", spec);
        return object.tree();
    }

    static ServiceRules rules(String cluster) {
        return new ServiceRules(CreateFamiliesTest.families(cluster), Semantics.KUBERNETES);
    }

    static Answer.Settled settled(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Settled.class);
        return (Answer.Settled) answer;
    }

    static List<String> rejections(Answer answer) {
        return switch (answer) {
            case Answer.Settled(Tree.Mapping object, ServiceFields ignored) ->
                throw new AssertionError("accepted: " + text(object));
            case Answer.Rejected(List<Rejection> rejections) ->
                rejections.stream().map(Rejection::toString).toList();
        };
    }

    /** The text at {@code path} of the object: {@code spec.ports[0].targetPort}; empty when it is absent. */
    static String at(Tree.Mapping object, String path) {
        Optional<Tree> tree = Optional.of(object);
        for (String step : path.replace("[", ".[").split("\\.", -1)) {
            tree = tree.flatMap(t -> step(t, step));
        }
        return tree.map(ServiceFixtures::text).orElse("");
    }

    private static Optional<Tree> step(Tree tree, String step) {
        return switch (tree) {
            case Tree.Mapping mapping -> Optional.ofNullable(mapping.entries().get(step));
            case Tree.Sequence sequence -> {
                int index = Integer.parseInt(step.substring(1, step.length() - 1));
                yield index < sequence.items().size()
                        ? Optional.of(sequence.items().get(index))
                        : Optional.empty();
            }
            case Tree.Scalar ignored -> Optional.empty();
        };
    }

    static String text(Map<String, Tree> entries) {
        return entries.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + text(entry.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    static String text(Tree tree) {
        return switch (tree) {
            case Tree.Mapping mapping -> text(mapping.entries());
            case Tree.Sequence sequence ->
                sequence.items().stream().map(ServiceFixtures::text).collect(Collectors.joining(", ", "[", "]"));
            case Tree.Scalar scalar -> scalar.text();
        };
    }

    /** @param expected {@code path=value} with blanks-and-semicolons between; an empty value means the path is absent */
    static void assertSays(Tree.Mapping object, String expected) {
        for (String pair : expected.split(" *; *", -1)) {
            String[] parts = pair.strip().split("=", 2);
            String path =
                    parts[0].startsWith("status") || parts[0].startsWith("metadata") ? parts[0] : "spec." + parts[0];
            assertThat(at(object, path)).as("%s of %s", path, text(object)).isEqualTo(parts[1]);
        }
    }
}
