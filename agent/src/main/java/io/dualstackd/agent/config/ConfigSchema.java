package io.dualstackd.agent.config;

import java.util.Set;

/**
 * What a configuration file may hold.
 *
 * @param prefix of its keys in {@link Key#path}
 * @param unused keys that have no meaning here, whatever they hold
 * @param lenient keys that nobody knows are ignored with a warning, and of one that occurs twice the last one counts
 */
record ConfigSchema(String apiVersion, String kind, String prefix, Set<String> unused, boolean lenient) {
    /** kube-proxy's, which is read as kube-proxy reads it, with a section of our own. */
    static final ConfigSchema KUBE_PROXY = new ConfigSchema(
            "kubeproxy.config.k8s.io/v1alpha1",
            "KubeProxyConfiguration",
            "",
            Set.of(
                    "clientConnection.acceptContentTypes",
                    "logging.vmodule",
                    "enableContentionProfiling",
                    "winkernel",
                    "portRange",
                    "windowsRunAsService"),
            true);

    /** Our own settings in a file of their own, so that kube-proxy's can stay as it is. */
    static final ConfigSchema OWN =
            new ConfigSchema("dualstackd.io/v1alpha1", "DualstackdConfiguration", Key.OWN, Set.of(), false);

    /** Whether a mistyped key may go unnoticed; never in what is ours. */
    boolean isLenient(String path) {
        return lenient && !path.startsWith(Key.OWN);
    }
}
