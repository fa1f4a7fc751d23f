package io.dualstackd.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.pods.cri.Sandbox;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SandboxesTest {
    private static final long NOW = 1_700_000_000_000_000_000L;
    private static final long MINUTE = 60_000_000_000L;

    /** {@code id attempt minutesOld}; attempt {@code -}: no metadata. */
    private static Sandbox sandbox(String text) {
        String[] parts = text.strip().split(" ", -1);
        return new Sandbox(
                parts[0],
                parts[1].equals("-")
                        ? Optional.empty()
                        : Optional.of(new Sandbox.Metadata("web", "uid", "shop", Long.parseLong(parts[1]))),
                true,
                NOW - Long.parseLong(parts[2]) * MINUTE,
                Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        a 0 0, b 2 0, c 1 0                                      | b c a
        medium 5 5, old 5 10, newest 5 0                         | newest medium old
        zzz-3 1 0, aaa-1 1 0, mmm-2 1 0                          | aaa-1 mmm-2 zzz-3
        c1 0 0, a2 2 20, b3 1 0, group-b 1 0, group-a 1 0        | a2 b3 group-a group-b c1
        z - 0, a - 0, m - 0                                      | a m z
        young - 0, old 9 10                                      | young old
        """)
    void attemptThenAgeThenId(String given, String order) {
        List<Sandbox> sandboxes = new ArrayList<>(
                Arrays.stream(given.split(",", -1)).map(SandboxesTest::sandbox).toList());
        for (int turn = 0; turn < sandboxes.size(); turn++) {
            sandboxes.add(sandboxes.removeFirst());
            assertThat(Relist.newestFirst(sandboxes).stream().map(Sandbox::id)).containsExactly(order.split(" ", -1));
        }
    }

    @Test
    void portsOfContainersAreReadAsFarAsTheyCan() {
        assertThat(
                        ContainerPorts.read(
                                "[{\"name\":\"web\",\"hostPort\":80,\"containerPort\":8080,\"protocol\":\"TCP\"},"
                                        + "{\"containerPort\":53,\"protocol\":\"UDP\",\"x\":{\"y\":[1]}},{\"containerPort\":70000},{\"name\":\"n\"}]"))
                .hasToString("[ContainerPort[name=web, port=8080, protocol=tcp], "
                        + "ContainerPort[name=, port=53, protocol=udp]]");
        assertThat(ContainerPorts.read("")).isEmpty();
        assertThat(ContainerPorts.read("{}")).isEmpty();
        assertThat(ContainerPorts.read("nonsense")).isEmpty();
        assertThat(ContainerPorts.read("[{\"containerPort\":1},")).hasSize(1);
    }
}
