package io.dualstackd.kubeapi.client;

import java.util.Optional;

/**
 * How to reach the API server: {@code clientConnection} of kube-proxy's configuration.
 *
 * @param kubeconfig path of a file; empty: the service account of the pod this runs in
 * @param master URI of the server, instead of what the kubeconfig says
 * @param format what to ask for; a server that does not know protobuf is asked for JSON anyway
 * @param qps single requests per second in the long run; lists and watches do not count; 0 or more, 0 is no limit
 * @param burst single requests at once; 0 or more
 */
public record ClusterSettings(
        Optional<String> kubeconfig, Optional<String> master, WireFormat format, double qps, int burst) {}
