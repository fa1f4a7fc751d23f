package io.dualstackd.agent.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The node as a container, with Testcontainers on a Docker engine of our own. Testcontainers reads its settings from the environment
 * and wants to be a neighbour of its containers, so {@link NodeInContainer} is a process of its own in the engine's network.
 */
@RealRuntime
@Tag("kernel")
class EngineTest {
    private static final long PATIENCE_MINUTES = 5;

    @Test
    void aNodeInAContainerServesItsPodsInBothFamilies() throws Exception {
        try (Engine engine = Engine.start()) {
            File log = engine.folder().resolve("program.log").toFile();
            Path folder = Files.createDirectory(engine.folder().resolve("node"));
            ProcessBuilder program = new ProcessBuilder(
                    "nsenter",
                    "--net=/proc/" + ProcessHandle.current().pid() + "/fd/"
                            + engine.ns().fd().number(),
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-cp",
                    System.getProperty("java.class.path"),
                    NodeInContainer.class.getName(),
                    folder.toString(),
                    engine.folder().cgroupParent());
            program.environment()
                    .putAll(Map.of(
                            "DOCKER_HOST", "unix://" + engine.socket(),
                            "TESTCONTAINERS_HOST_OVERRIDE", "localhost",
                            // What would clean up after us has to be downloaded; the engine's end does that here.
                            "TESTCONTAINERS_RYUK_DISABLED", "true"));
            Process running =
                    program.redirectErrorStream(true).redirectOutput(log).start();
            try {
                boolean ended = running.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
                List<String> lines = Files.readAllLines(log.toPath());
                assertThat(ended).as("ends; so far: %s", lines).isTrue();
                assertThat(running.exitValue())
                        .as(() -> String.join("\n", lines) + "\nthe engine:\n" + engine.output())
                        .isZero();
            } finally {
                running.destroyForcibly().waitFor();
            }
        }
    }
}
