package io.dualstackd.kubeapi.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Collects the problems of one document while it is decoded, so that all of them are reported at once.
 *
 * <p>Used by one decoder at a time and then discarded; unknown fields are gathered into a single warning.
 */
public final class ProblemCollector {
    private final String file;
    private final int document;
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();
    private String object = "";
    private int errors;

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

    void unknown(String path) {
        unknown.add(path);
    }

    /** The number of errors so far. */
    public int errors() {
        return errors;
    }

    /** Ends the object that starts at {@code line}: its unknown fields become one warning. */
    public void endObject(int line) {
        if (!unknown.isEmpty()) {
            String listed =
                    String.join(", ", Set.copyOf(unknown).stream().sorted().toList());
            warn(line, "", "", "unknown fields, ignored: " + listed);
            unknown.clear();
        }
        object = "";
    }

    /** All problems, in the order in which they were found. */
    public List<Problem> problems() {
        return List.copyOf(problems);
    }
}
