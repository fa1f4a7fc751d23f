package io.dualstackd.kubeapi.access;

import java.util.List;
import java.util.Map;

/**
 * {@code exec} of a kubeconfig's user: a program that prints an {@code ExecCredential}.
 *
 * @param apiVersion {@code client.authentication.k8s.io/v1} or {@code v1beta1}: the version that the program must answer in
 * @param command a name to be searched in {@code PATH}, or an absolute path
 * @param environment variables added to the daemon's own; may hold secrets
 * @param installHint text to show when the program does not exist; may be empty
 * @param provideClusterInfo the program receives a description of the cluster
 */
public record ExecConfig(
        String apiVersion,
        String command,
        List<String> arguments,
        Map<String, String> environment,
        String installHint,
        boolean provideClusterInfo) {
    public ExecConfig {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    @Override
    public String toString() {
        return command;
    }
}
