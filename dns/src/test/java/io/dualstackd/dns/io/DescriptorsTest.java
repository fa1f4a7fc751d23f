package io.dualstackd.dns.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of questions while file descriptors are used up, with the real limit of a real process. */
@Tag("kernel")
final class DescriptorsTest {
    @Test
    void questionsFailAndLaterOnesAreAnswered() throws Exception {
        Process child = child();
        try {
            String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(output.lines())
                    .containsExactly(
                            "before.example.com: NoError",
                            "www.example.com: ServFail",
                            "www.example.com: NoError",
                            "under way: 0");
        } finally {
            child.toHandle().destroyForcibly();
            child.waitFor();
        }
    }

    private static Process child() throws IOException, URISyntaxException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        classPath(),
                        DescriptorsChild.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String classPath() throws URISyntaxException {
        List<String> parts = new ArrayList<>();
        if (DescriptorsTest.class.getClassLoader() instanceof URLClassLoader loader) {
            for (URL url : loader.getURLs()) {
                parts.add(Path.of(url.toURI()).toString());
            }
        }
        parts.add(System.getProperty("java.class.path"));
        return String.join(File.pathSeparator, parts);
    }
}
