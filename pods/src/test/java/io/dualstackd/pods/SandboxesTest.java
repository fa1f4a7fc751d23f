package io.dualstackd.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.pods.cri.NamespaceMode;
import io.dualstackd.pods.cri.NetworkStatus;
import io.dualstackd.pods.cri.Sandbox;
import io.dualstackd.pods.cri.SandboxMetadata;
import io.dualstackd.pods.cri.SandboxState;
import io.dualstackd.pods.cri.SandboxStatus;
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
                        : Optional.of(new SandboxMetadata("web", "uid", "shop", Long.parseLong(parts[1]))),
                SandboxState.READY,
                NOW - Long.parseLong(parts[2]) * MINUTE,
                Map.of(),
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
            assertThat(SandboxOrder.newestFirst(sandboxes).stream().map(Sandbox::id))
                    .containsExactly(order.split(" ", -1));
        }
    }

    /** {@code id attempt state network ip}, newest first; ip {@code none}: without the message, {@code -}: empty. */
    private static SandboxStatus status(String text) {
        String[] parts = text.strip().split(" ", -1);
        return new SandboxStatus(
                parts[0],
                Optional.of(new SandboxMetadata("web", "uid", "shop", Long.parseLong(parts[1]))),
                SandboxState.valueOf(parts[2]),
                NOW,
                parts[4].equals("none")
                        ? Optional.empty()
                        : Optional.of(new NetworkStatus(parts[4].equals("-") ? "" : parts[4], List.of("fd00::10"))),
                NamespaceMode.valueOf(parts[3]),
                Map.of(),
                Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ''                                                       | false | true 0
        a 0 READY POD 10.0.0.10                                  | false | false 0 a
        a 1 READY NODE -                                         | true  | false 1 a
        b 1 READY POD 10.0.0.11, a 0 READY POD 10.0.0.10         | false | true 2 b
        b 1 READY POD 10.0.0.11, a 0 NOT_READY POD -             | false | false 1 b
        a 0 NOT_READY POD -                                      | false | true 1 a
        b 1 NOT_READY POD -, a 0 READY POD 10.0.0.10             | false | true 2 b
        a 0 READY POD 10.0.0.10                                  | true  | true 1
        a 0 READY NODE -                                         | false | true 1
        a 0 READY POD -                                          | false | true 1 a
        a 0 READY POD none                                       | false | false 0 a
        """)
    void whenAPodNeedsAnotherSandbox(String sandboxes, boolean onHostNetwork, String need) {
        List<SandboxStatus> statuses = sandboxes.isEmpty()
                ? List.of()
                : Arrays.stream(sandboxes.split(",", -1))
                        .map(SandboxesTest::status)
                        .toList();
        SandboxNeed found = SandboxNeed.of(statuses, onHostNetwork);
        assertThat((found.another() + " " + found.attempt() + " " + found.id()).strip())
                .isEqualTo(need);
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
