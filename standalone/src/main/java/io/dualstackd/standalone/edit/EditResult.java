package io.dualstackd.standalone.edit;

import java.util.List;

/** The result of a request to change manifests. */
public sealed interface EditResult {
    /**
     * The change is written and in force.
     *
     * @param lines one for each object: {@code service/web created}
     * @param warnings what is unusual but accepted
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
     * @param reasons at least one; each names the place, the value and the rule
     */
    record Refused(List<String> reasons) implements EditResult {
        public Refused {
            reasons = List.copyOf(reasons);
        }

        public static Refused because(String reason) {
            return new Refused(List.of(reason));
        }
    }
}
