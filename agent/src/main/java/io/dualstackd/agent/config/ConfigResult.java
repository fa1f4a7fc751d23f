package io.dualstackd.agent.config;

import io.dualstackd.agent.tree.Problem;
import java.util.List;

/** A configuration, or why there is none. */
public sealed interface ConfigResult {
    /** Usable. */
    record Usable(AgentConfig config, List<Problem> warnings) implements ConfigResult {
        public Usable {
            warnings = List.copyOf(warnings);
        }
    }

    /** Not usable: all problems, warnings included. */
    record Refused(List<Problem> problems) implements ConfigResult {
        public Refused {
            problems = List.copyOf(problems);
        }
    }
}
