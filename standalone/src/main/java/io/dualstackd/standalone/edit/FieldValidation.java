package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.tree.Problem;
import java.util.List;
import java.util.Optional;

/** What becomes of an unknown or duplicate field of a text, as with {@code kubectl --validate}. */
public enum FieldValidation {
    /** It is an error. */
    STRICT,
    /** It is a warning. */
    WARN,
    /** It is not mentioned. */
    IGNORE;

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
        return problems.stream().flatMap(problem -> on(problem).stream()).toList();
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
