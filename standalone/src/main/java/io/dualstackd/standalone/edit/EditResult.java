package io.dualstackd.standalone.edit;

import java.util.List;

/** The result of a request to change manifests. */
public sealed interface EditResult {
    /**
     * The change is written and in force.
     *
     * @param lines one for each object: {@code service/web created}
     * @param warnings what is unusual but accepted, each as a line with its place
     */
    record Written(List<String> lines, List<String> warnings) implements EditResult {
        public Written {
            lines = List.copyOf(lines);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * Nothing was changed.
     *
     * @param problems errors and warnings of the texts, each as a line with its place
     * @param reasons other reasons
     */
    record Refused(List<String> problems, List<String> reasons) implements EditResult {
        /** How a reason begins when, against the rule, something was changed: a file was written, and could not be restored. */
        public static final String IN_PART = "changed in part: ";

        public Refused {
            problems = List.copyOf(problems);
            reasons = List.copyOf(reasons);
        }

        public static Refused because(String reason) {
            return new Refused(List.of(), List.of(reason));
        }
    }
}
