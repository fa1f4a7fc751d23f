package io.dualstackd.agent.admin;

import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.pods.cri.RuntimeConditions.Condition;

/** The state of the container runtime, in half a line. */
final class RuntimeSummary {
    private RuntimeSummary() {}

    static String of(RuntimeReport state) {
        if (state.outage().isPresent()) {
            return "NOT ANSWERING";
        } else if (state.listed().isEmpty()) {
            return "not asked yet";
        }
        return state.conditions()
                .map(conditions ->
                        "ready" + word("runtime", conditions.runtime()) + word("network", conditions.network()))
                .orElse("answers");
    }

    private static String word(String name, Condition condition) {
        return condition.holds()
                ? ""
                : ", but its " + name + " is not: " + condition.reason() + " " + condition.message();
    }
}
