package io.dualstackd.pages.health.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The health pages of a node with IPv4 only whose configuration names an IPv6 address for them. */
@Tag("kernel")
final class WithoutIpv6Test {
    /** As for kube-proxy, it is no reason not to start. */
    @Test
    void anIpv6AddressIsReportedAsClosed() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.net.preferIPv4Stack=true",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath(),
                        WithoutIpv6Child.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(child.inputReader().lines())
                    .containsExactly(
                            "not open: cannot listen on [::1]:10249: cannot listen on [::1]:10249: there was no IPv6 when"
                                    + " this process started",
                            "started");
            assertThat(child.waitFor()).isZero();
        } finally {
            child.toHandle().destroyForcibly();
        }
    }

    private static String classPath() throws URISyntaxException {
        List<String> parts = new ArrayList<>();
        if (WithoutIpv6Test.class.getClassLoader() instanceof URLClassLoader loader) {
            for (URL url : loader.getURLs()) {
                parts.add(Path.of(url.toURI()).toString());
            }
        }
        parts.add(System.getProperty("java.class.path"));
        return String.join(File.pathSeparator, parts);
    }
}
