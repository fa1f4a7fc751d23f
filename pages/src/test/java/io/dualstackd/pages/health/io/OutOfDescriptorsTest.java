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

/** A process without a free file descriptor answers on many ports. */
@Tag("kernel")
final class OutOfDescriptorsTest {
    /** A pause for each port on which a client waits would delay those that are connected, and at last the heartbeat. */
    @Test
    void clientsThatAreConnectedAreAnswered() throws Exception {
        Process child = new ProcessBuilder(
                        "prlimit",
                        "--nofile=400:400",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath(),
                        OutOfDescriptorsChild.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(child.inputReader().lines()).containsExactly("true soon");
            assertThat(child.waitFor()).isZero();
        } finally {
            child.toHandle().destroyForcibly();
        }
    }

    private static String classPath() throws URISyntaxException {
        List<String> parts = new ArrayList<>();
        if (OutOfDescriptorsTest.class.getClassLoader() instanceof URLClassLoader loader) {
            for (URL url : loader.getURLs()) {
                parts.add(Path.of(url.toURI()).toString());
            }
        }
        parts.add(System.getProperty("java.class.path"));
        return String.join(File.pathSeparator, parts);
    }
}
