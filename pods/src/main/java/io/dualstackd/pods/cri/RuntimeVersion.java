package io.dualstackd.pods.cri;

/**
 * The name and version of a runtime.
 *
 * @param name as the runtime reports it, {@code containerd} or {@code cri-o}
 * @param version the runtime's own
 * @param apiVersion of the interface, {@code v1}
 */
public record RuntimeVersion(String name, String version, String apiVersion) {}
