package io.dualstackd.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a lookup of the program's process returns when the answer of the resolver changes. */
@Tag("slow")
final class NameCacheTest {
    @TempDir
    private Path tmp;

    @Test
    void eachLookupAsksTheResolver() throws Exception {
        Path hosts = tmp.resolve("hosts");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.net.hosts.file=" + hosts,
                        "-cp",
                        System.getProperty("java.class.path"),
                        NameCacheChild.class.getName(),
                        hosts.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).isZero();
        assertThat(out.lines()).containsSubsequence("unknown", "[192.0.2.1]", "[192.0.2.2]");
    }
}
