package io.dualstackd.agent.cli;

import java.util.Map;

/**
 * What a command finds around it.
 *
 * @param environment the variables of the process
 */
public record Terminal(Map<String, String> environment) {
    public Terminal {
        environment = Map.copyOf(environment);
    }

    /** That of this process. */
    static Terminal ofProcess() {
        return new Terminal(System.getenv());
    }

    /** The value of a variable; empty when it is not set. */
    String variable(String name) {
        return environment.getOrDefault(name, "");
    }
}
