package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The handling of unknown and duplicate fields of a text, as with {@code kubectl --validate}. */
public enum FieldValidation {
    /** It is an error. */
    STRICT,
    /** It is a warning. */
    WARN,
    /** It is not mentioned. */
    IGNORE;

    private static final Pattern SUGGESTION = Pattern.compile("did you mean (.+)\\?$");

    /** Reads the value of {@code --validate}; {@code true} and {@code false} are accepted as kubectl does. */
    public static Optional<FieldValidation> of(String word) {
        return switch (word) {
            case "strict", "true" -> Optional.of(STRICT);
            case "warn" -> Optional.of(WARN);
            case "ignore", "false" -> Optional.of(IGNORE);
            default -> Optional.empty();
        };
    }

    /** The problems with those of fields as they are to be shown. */
    public List<Problem> on(List<Problem> problems) {
        Set<Place.InFile> misspelt = this == STRICT
                ? problems.stream().flatMap(problem -> meant(problem).stream()).collect(Collectors.toSet())
                : Set.of();
        return problems.stream()
                .filter(problem -> !(isMissing(problem)
                        && problem.place() instanceof Place.InFile place
                        && misspelt.contains(unplaced(place, place.field()))))
                .flatMap(problem -> on(problem).stream())
                .toList();
    }

    /** Whether an error is not about a value, or about its type. */
    private static boolean isMissing(Problem problem) {
        return problem.isError() && problem.value().isEmpty() && !problem.rule().contains(", not ");
    }

    /** The field that a misspelt one is meant to be: that it is missing is only a consequence. */
    private static Optional<Place.InFile> meant(Problem problem) {
        Matcher suggestion = SUGGESTION.matcher(problem.rule());
        if (problem.severity() != Problem.Severity.STRICT
                || !(problem.place() instanceof Place.InFile place)
                || !suggestion.find()) {
            return Optional.empty();
        }
        int dot = place.field().lastIndexOf('.');
        return Optional.of(unplaced(place, place.field().substring(0, dot + 1) + suggestion.group(1)));
    }

    private static Place.InFile unplaced(Place.InFile place, String field) {
        return new Place.InFile(place.file(), place.document(), 0, field);
    }

    private Optional<Problem> on(Problem problem) {
        if (problem.severity() != Problem.Severity.STRICT) {
            return Optional.of(problem);
        }
        return switch (this) {
            case STRICT -> Optional.of(problem.with(Problem.Severity.ERROR));
            case WARN -> Optional.of(problem.with(Problem.Severity.WARNING));
            case IGNORE -> Optional.empty();
        };
    }

    /** As in a request. */
    @Override
    public String toString() {
        return switch (this) {
            case STRICT -> "strict";
            case WARN -> "warn";
            case IGNORE -> "ignore";
        };
    }
}
