package io.dualstackd.kubeapi.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sources that describe how to reach the API server. */
public sealed interface AccessSources {
    /** The environment that the kubelet sets up in each pod. */
    record InCluster(String host, int port) implements AccessSources {}

    /**
     * Kubeconfig files.
     *
     * @param mustExist all files must exist; otherwise one of them is enough
     */
    record Files(List<String> paths, boolean mustExist, Optional<String> master) implements AccessSources {
        public Files {
            paths = List.copyOf(paths);
        }
    }

    /** Only the address of the server, without credentials. */
    record OnlyMaster(String master) implements AccessSources {}

    /**
     * Finds the sources: the given kubeconfig file, else the files of {@code KUBECONFIG}, else the given server, else the in-cluster
     * environment. Apart from {@code KUBECONFIG}, this is kube-proxy's order.
     *
     * @throws AccessException if there is no source
     */
    static AccessSources find(Optional<String> kubeconfig, Optional<String> master, Map<String, String> environment)
            throws AccessException {
        Optional<String> named = kubeconfig.filter(path -> !path.isEmpty());
        Optional<String> server = master.filter(url -> !url.isEmpty());
        if (named.isPresent()) {
            return new Files(List.of(named.get()), true, server);
        }
        List<String> paths = new ArrayList<>();
        for (String path : environment.getOrDefault("KUBECONFIG", "").split(":", -1)) {
            if (!path.isEmpty()) {
                paths.add(path);
            }
        }
        if (!paths.isEmpty()) {
            return new Files(paths, false, server);
        }
        return server.isPresent() ? new OnlyMaster(server.get()) : inCluster(environment);
    }

    private static InCluster inCluster(Map<String, String> environment) throws AccessException {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
        if (host.isEmpty() || port.isEmpty()) {
            throw AccessException.unnamed("the address of the API server is not known: give a file with --kubeconfig, "
                    + "or run in a pod, where KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are set; "
                    + "a node without a cluster needs --standalone --manifests DIR");
        }
        if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65_535) {
            throw new AccessException("KUBERNETES_SERVICE_PORT: \"" + port + "\": must be 1 to 65535");
        }
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        return new InCluster(bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port));
    }
}
