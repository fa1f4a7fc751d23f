package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.wire.WireFormat;
import java.util.Optional;

/**
 * The connection to the API server: {@code clientConnection} of kube-proxy's configuration.
 *
 * @param kubeconfig path of a file; empty: the service account of the pod this runs in
 * @param master URI of the server, in place of the one in the kubeconfig
 * @param format the preferred encoding; a server without protobuf answers in JSON anyway
 * @param qps maximum sustained rate of single requests per second; lists and watches do not count; 0 or more, 0 is no limit
 * @param burst maximum number of single requests at once; 0 or more
 */
public record ClusterSettings(
        Optional<String> kubeconfig, Optional<String> master, WireFormat format, double qps, int burst) {}
