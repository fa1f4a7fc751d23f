package io.dualstackd.agent.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A containerd of this machine.
 *
 * @param name {@code installed}, or the version as its tests call it: {@code 1.7}
 * @param programs where its programs lie; null for the one that is installed
 */
public record RuntimeVersion(String name, @Nullable Path programs) {
    /** The distribution's own. */
    public static final RuntimeVersion INSTALLED = new RuntimeVersion("installed", null);

    /** Where {@code bin/more-containerds} unpacks others. */
    private static final Path UNPACKED =
            Path.of("..", "target", "containerd").toAbsolutePath().normalize();

    /** One that {@code bin/more-containerds} fetched. */
    public static RuntimeVersion fetched(String name) {
        Path programs = UNPACKED.resolve(name).resolve("usr/bin");
        if (!Files.isExecutable(programs.resolve("containerd"))) {
            throw new IllegalStateException(
                    "there is no containerd " + name + ": run bin/more-containerds (root, and access"
                            + " to the distribution's packages); looked at " + programs);
        }
        return new RuntimeVersion(name, programs);
    }

    /** What makes {@code containerd}, its shim and {@code ctr} of this version be found first. */
    public String path() {
        List<String> usual = List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");
        return (programs == null ? "" : programs + ":") + String.join(":", usual);
    }

    @Override
    public String toString() {
        return name;
    }
}
