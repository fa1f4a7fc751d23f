package io.dualstackd.standalone.edit;

import java.util.List;

/** What became of a wish to change manifests. */
public sealed interface EditResult {
    /**
     * It is written and in force.
     *
     * @param lines one for each object: {@code service/web created}
     * @param warnings what is strange and tolerated
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
     * @param reasons at least one, each says where, what and which rule
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
