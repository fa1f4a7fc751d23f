package io.dualstackd.standalone.edit;

import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import java.util.Comparator;
import java.util.List;

/** The problems of several texts, in the order of the texts and their lines. */
public record Diagnostics(List<Problem> problems) {
    public Diagnostics {
        problems = List.copyOf(problems);
    }

    /** @param files the names of the texts in their order; problems of other places come last */
    public static Diagnostics of(List<Problem> problems, List<String> files) {
        return new Diagnostics(problems.stream()
                .distinct()
                .sorted(Comparator.<Problem>comparingInt(problem -> rank(problem, files))
                        .thenComparing(problem -> file(problem.place()))
                        .thenComparingInt(problem -> problem.place() instanceof Place.InFile place ? place.line() : 0))
                .toList());
    }

    private static int rank(Problem problem, List<String> files) {
        int index = files.indexOf(file(problem.place()));
        return index < 0 ? files.size() : index;
    }

    private static String file(Place place) {
        return place instanceof Place.InFile in ? in.file() : "";
    }

    /** Whether one of them is an error. */
    public boolean hasErrors() {
        return problems.stream().anyMatch(Problem::isError);
    }

    /** One line for each: {@code web.yaml:4 (document 1): error: spec.ports: …}. */
    public List<String> lines() {
        return problems.stream().map(Problem::diagnostic).toList();
    }

    /** {@code 2 errors, 1 warning}. */
    public String summary() {
        long errors = problems.stream().filter(Problem::isError).count();
        return summary(errors, problems.size() - errors);
    }

    /** The same for numbers of them. */
    public static String summary(long errors, long warnings) {
        return (errors == 0 ? "no errors" : counted(errors, "error"))
                + (warnings == 0 ? "" : ", " + counted(warnings, "warning"));
    }

    private static String counted(long number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }
}
