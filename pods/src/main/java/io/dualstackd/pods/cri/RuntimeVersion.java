package io.dualstackd.pods.cri;

/**
 * Who answers.
 *
 * @param name as the runtime calls itself, {@code containerd} or {@code cri-o}
 * @param version the runtime's own
 * @param apiVersion of the interface, {@code v1}
 */
public record RuntimeVersion(String name, String version, String apiVersion) {}
