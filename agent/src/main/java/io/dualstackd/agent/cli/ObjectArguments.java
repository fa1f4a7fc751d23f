package io.dualstackd.agent.cli;

import io.dualstackd.admin.objects.Listing;
import io.dualstackd.admin.objects.ObjectKind;
import io.dualstackd.kubeapi.tree.Suggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * The objects that a command line names, as for {@code kubectl}: {@code svc}, {@code svc,eps}, {@code svc a b}, {@code svc/a eps/b}; also
 * {@code svc shop/a}.
 *
 * @param targets in the order of the command line
 * @param namespace that a name was given with; empty when none was
 */
record ObjectArguments(List<Listing.Target> targets, Optional<String> namespace) {
    /** The parameter to add to a command. */
    static PositionalParamSpec parameter(boolean required, List<String> kinds) {
        return parameter(
                required,
                kinds,
                String.join(", ", ObjectKind.plurals())
                        + "; singular and short names (svc, eps, po) are known, too. Without a name: all.");
    }

    /** The parameter of a command that changes manifests, and not the other objects; it needs a name. */
    static PositionalParamSpec inManifests(boolean required) {
        return parameter(
                required,
                EditCommand.KINDS,
                String.join(", ", EditCommand.KINDS) + "; plurals and short names (svc, eps) are known, too.");
    }

    private static PositionalParamSpec parameter(boolean required, List<String> kinds, String description) {
        return PositionalParamSpec.builder()
                .index("0..*")
                .arity(required ? "1..*" : "0..*")
                .required(required)
                .paramLabel("KIND[,KIND] [NAME]... | KIND/NAME")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .completionCandidates(kinds)
                .description(description)
                .build();
    }

    /** The words of the command line; empty when there are none. */
    static List<String> words(ParseResult command) {
        List<String> words =
                command.commandSpec().positionalParameters().getFirst().getValue();
        return words == null ? List.of() : words;
    }

    /** Reads the words of the command line. */
    static ObjectArguments of(ParseResult command) {
        List<String> words = words(command);
        String first = words.getFirst();
        return first.contains("/")
                ? pairs(command, words)
                : kindsAndNames(command, first, words.subList(1, words.size()));
    }

    private static ObjectArguments pairs(ParseResult command, List<String> words) {
        List<Listing.Target> targets = new ArrayList<>();
        for (String word : words) {
            String[] parts = word.split("/", -1);
            if (parts.length != 2) {
                throw Options.misuse(command, "\"" + word + "\": must be KIND/NAME, as the others are");
            }
            targets.add(target(command, kind(command, parts[0]), parts[1]));
        }
        return new ObjectArguments(targets, Optional.empty());
    }

    private static ObjectArguments kindsAndNames(ParseResult command, String kinds, List<String> names) {
        List<ObjectKind> known = Arrays.stream(kinds.split(",", -1))
                .map(word -> kind(command, word))
                .toList();
        if (names.isEmpty()) {
            return new ObjectArguments(
                    known.stream()
                            .map(kind -> new Listing.Target(kind, Optional.empty()))
                            .toList(),
                    Optional.empty());
        }
        Set<String> namespaces = new HashSet<>();
        List<Listing.Target> targets = new ArrayList<>();
        for (ObjectKind kind : known) {
            for (String name : names) {
                int slash = kind.namespaced() ? name.indexOf('/') : -1;
                if (slash >= 0) {
                    namespaces.add(name.substring(0, slash));
                }
                targets.add(target(command, kind, name.substring(slash + 1)));
            }
        }
        boolean someWithout = names.stream().anyMatch(name -> !name.contains("/"));
        if (namespaces.size() > 1 || (!namespaces.isEmpty() && someWithout)) {
            throw Options.misuse(
                    command, "names in several namespaces: request each namespace separately, or all with -A");
        }
        Optional<String> namespace = namespaces.stream().findFirst();
        namespace.ifPresent(given -> Options.requireNamespace(command, given));
        return new ObjectArguments(targets, namespace);
    }

    private static Listing.Target target(ParseResult command, ObjectKind kind, String name) {
        if (!name.matches(Options.NAME)) {
            throw Options.misuse(command, "\"" + name + "\": is not a name of an object");
        }
        return new Listing.Target(kind, Optional.of(name));
    }

    static ObjectKind kind(ParseResult command, String word) {
        return ObjectKind.named(word).orElseThrow(() -> {
            String near = Suggestion.to(word, ObjectKind.longNames())
                    .map(known -> "; did you mean " + known + "?")
                    .or(() -> namedWithNamespace(command))
                    .orElse("");
            return Options.misuse(
                    command, "\"" + word + "\": must be one of " + String.join(", ", ObjectKind.plurals()) + near);
        });
    }

    /** A namespace and a name where a kind is expected: {@code describe shop/web}. */
    private static Optional<String> namedWithNamespace(ParseResult command) {
        return command.matchedPositionals().stream()
                .flatMap(positional -> positional.originalStringValues().stream())
                .limit(1)
                .filter(word -> word.matches(Options.NAME + "/" + Options.NAME))
                .findFirst()
                .map(word -> "; if it is a namespace: service " + word);
    }

    /** Whether a single object is named. */
    boolean isOne() {
        return targets.size() == 1 && targets.getFirst().name().isPresent();
    }

    /** The words of a request: {@code services/web,endpointslices}. */
    String request() {
        return targets.stream()
                .map(target -> target.kind().plural()
                        + target.name().map(name -> "/" + name).orElse(""))
                .collect(Collectors.joining(","));
    }
}
