package io.dualstackd.kubeapi.access;

import java.util.List;
import java.util.Map;

/**
 * {@code exec} of a kubeconfig's user: a program that prints an {@code ExecCredential}.
 *
 * @param apiVersion {@code client.authentication.k8s.io/v1} or {@code v1beta1}: what the program must answer in
 * @param command a name to be searched in {@code PATH}, or an absolute path
 * @param environment added to ours; may hold secrets
 * @param installHint what to tell when the program is not there; may be empty
 * @param provideClusterInfo the program is told about the cluster
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
