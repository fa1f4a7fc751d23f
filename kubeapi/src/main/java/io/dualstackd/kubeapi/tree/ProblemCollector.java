package io.dualstackd.kubeapi.tree;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Collects the problems of one document while it is decoded, so that all of them are reported at once.
 *
 * <p>Used by one decoder at a time and then discarded. An unknown field that many items of an object have is one problem.
 */
public final class ProblemCollector {
    private static final Pattern INDEX = Pattern.compile("\\[[0-9]+]");

    private final String file;
    private final int document;
    private final List<Problem> problems = new ArrayList<>();
    /** The first unknown field of each path without indexes. */
    private final Map<String, Unknown> unknown = new LinkedHashMap<>();

    private String object = "";
    private int errors;

    private record Unknown(int line, String path, String suggestion, int times) {}

    public ProblemCollector(String file, int document) {
        this.file = file;
        this.document = document;
    }

    /** Sets the object that the following problems concern, as {@code Service shop/web}. */
    public void about(String named) {
        object = named;
    }

    public Place.InFile place(int line, String path) {
        return new Place.InFile(file, document, line, path);
    }

    public void refuse(int line, String path, String value, String rule) {
        errors++;
        problems.add(new Problem(Problem.Severity.ERROR, place(line, path), object, value, rule));
    }

    public void warn(int line, String path, String value, String rule) {
        problems.add(new Problem(Problem.Severity.WARNING, place(line, path), object, value, rule));
    }

    void unknown(int line, String path, String suggestion) {
        unknown.merge(
                INDEX.matcher(path).replaceAll("[]"),
                new Unknown(line, path, suggestion, 1),
                (first, other) -> new Unknown(first.line, first.path, first.suggestion, first.times + 1));
    }

    /** Notes a key that its object has already. */
    public void twice(int line, String path, int firstLine) {
        problems.add(new Problem(
                Problem.Severity.STRICT,
                place(line, path),
                object,
                "",
                firstLine == line ? "duplicate field" : "duplicate field, first on line " + firstLine));
    }

    /** The number of errors so far. */
    public int errors() {
        return errors;
    }

    /** Ends the object. */
    public void endObject() {
        unknown.values()
                .forEach(field -> problems.add(new Problem(
                        Problem.Severity.STRICT,
                        place(field.line, field.path),
                        object,
                        "",
                        "unknown field"
                                + (field.times == 1 ? "" : ", the first of " + field.times + " in this object")
                                + field.suggestion)));
        unknown.clear();
        object = "";
    }

    /** All problems, in the order of the text. */
    public List<Problem> problems() {
        return problems.stream()
                .sorted(Comparator.comparingInt(
                        problem -> problem.place() instanceof Place.InFile place ? place.line() : 0))
                .toList();
    }
}
