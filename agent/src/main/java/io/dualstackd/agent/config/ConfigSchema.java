package io.dualstackd.agent.config;

import java.util.Set;

/**
 * The allowed content of a configuration file.
 *
 * @param prefix of its keys in {@link Key#path}
 * @param unused keys that have no meaning here, whatever their values
 * @param lenient unknown keys are ignored with a warning, and of a key that occurs twice the last one counts
 */
record ConfigSchema(String apiVersion, String kind, String prefix, Set<String> unused, boolean lenient) {
    /** That of kube-proxy, which is read as kube-proxy reads it, with a section of our own. */
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

    /** Whether an unknown key is accepted with a warning; never in our own section. */
    boolean isLenient(String path) {
        return lenient && !path.startsWith(Key.OWN);
    }
}
