package io.dualstackd.pods.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.pods.ContainerPort;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.PodContainer;
import io.dualstackd.pods.Pods;
import io.dualstackd.pods.SavedPods;
import io.dualstackd.pods.SavedPodsFormat;
import io.dualstackd.pods.cri.ContainerState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SavedPodsFileTest {
    private static final String RUNTIME = "unix:///run/x.sock";
    private static final Pods PODS = new Pods(
            List.of(
                    new Pod(
                            "shop",
                            "web",
                            "u1",
                            new Pod.PodSandbox(
                                    "s1", 3, Instant.ofEpochSecond(1_700_000_000, 7), true, 4711, true, true),
                            false,
                            List.of(Ip.parse("10.0.0.1"), Ip.parse("fd01::1")),
                            Map.of("app", "web", "größe", "ü"),
                            List.of(new PodContainer(
                                    "main",
                                    2,
                                    ContainerState.RUNNING,
                                    List.of(
                                            new ContainerPort("http", 80, Proto.TCP),
                                            new ContainerPort("", 53, Proto.UDP))))),
                    new Pod(
                            "kube-system",
                            "dns",
                            "u2",
                            new Pod.PodSandbox("s2", 0, Instant.EPOCH, false, 0, false, false),
                            true,
                            List.of(),
                            Map.of(),
                            List.of())),
            List.of(Ip.parse("192.0.2.1")));

    @TempDir
    private Path folder;

    private Path proc() {
        return folder.resolve("proc");
    }

    private Path state() {
        return folder.resolve("state");
    }

    private SavedPodsFile file() {
        return SavedPodsFile.in(state(), proc());
    }

    @BeforeEach
    void kernel() throws Exception {
        Files.createDirectories(proc().resolve("sys/kernel/random"));
        Files.createDirectories(proc().resolve("self/ns"));
        Files.writeString(proc().resolve("sys/kernel/random/boot_id"), "one\n");
        Files.createSymbolicLink(proc().resolve("self/ns/pid"), Path.of("pid:[1]"));
    }

    @Test
    void savedPodsRoundTrip() {
        assertThat(file().recall(RUNTIME)).isEmpty();
        file().remember(RUNTIME, PODS, Set.of("s1"));
        assertThat(file().recall(RUNTIME)).contains(new SavedPods("one", RUNTIME, "pid:[1]", PODS, Set.of("s1")));
        assertThat(SavedPodsFile.none().recall(RUNTIME)).isEmpty();
    }

    /** A runtime checks no lengths: a label of a pod that was not made by kubelet may have any. */
    @ParameterizedTest
    @ValueSource(ints = {19_999, 20_000, 20_001, 40_000, 65_535, 65_536, 1_000_000})
    void aLongTextPreventsNothing(int length) {
        Pod web = PODS.all().getFirst();
        String text = "ü😀\0".repeat(length / 4 + 1).substring(0, length);
        Pod strange = new Pod(
                "shop", text, "u3", web.sandbox(), false, web.ips(), Map.of("a", text, text, "b"), web.containers());
        Pods pods = new Pods(List.of(strange, web));
        file().remember(RUNTIME, pods, Set.of("s1"));
        assertThat(file().recall(RUNTIME)).contains(new SavedPods("one", RUNTIME, "pid:[1]", pods, Set.of("s1")));
    }

    /** The next daemon would take the earlier ones for the present ones, and remove the endpoints of new pods. */
    @Test
    void podsThatCannotBeSavedReplaceEarlierOnes() throws Exception {
        assertThat(file().remember(RUNTIME, PODS, Set.of("s1"))).isTrue();
        Path obstacle = Files.createDirectory(state().resolve(".pods"));
        assertThat(file().remember(RUNTIME, Pods.NONE, Set.of())).isFalse();
        assertThat(file().recall(RUNTIME)).isEmpty();
        Files.delete(obstacle);
        assertThat(file().remember(RUNTIME, Pods.NONE, Set.of())).isTrue();
        assertThat(file().recall(RUNTIME)).isPresent();
        assertThat(SavedPodsFile.none().remember(RUNTIME, PODS, Set.of())).isTrue();
    }

    @Test
    void noPodOutlivesARebootOrIsAnotherRuntimes() throws Exception {
        file().remember(RUNTIME, PODS, Set.of("s1"));
        assertThat(file().recall("unix:///run/y.sock")).isEmpty();
        Files.writeString(proc().resolve("sys/kernel/random/boot_id"), "two\n");
        assertThat(file().recall(RUNTIME)).isEmpty();
    }

    @Test
    void numbersOfAnotherNamespaceProveNothing() throws Exception {
        file().remember(RUNTIME, PODS, Set.of("s1"));
        Files.delete(proc().resolve("self/ns/pid"));
        Files.createSymbolicLink(proc().resolve("self/ns/pid"), Path.of("pid:[2]"));
        assertThat(file().recall(RUNTIME).orElseThrow().visible()).isEmpty();
        assertThat(file().recall(RUNTIME).orElseThrow().pods()).isEqualTo(PODS);
    }

    @Test
    void anyDamageIsNoticed() throws Exception {
        byte[] whole = SavedPodsFormat.write(new SavedPods("one", RUNTIME, "pid:[1]", PODS, Set.of("s1")));
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x20;
            assertThatIllegalArgumentException().isThrownBy(() -> SavedPodsFormat.read(damaged));
            byte[] torn = Arrays.copyOf(whole, at);
            assertThatIllegalArgumentException().isThrownBy(() -> SavedPodsFormat.read(torn));
        }
        Files.createDirectories(state());
        Files.write(state().resolve("pods"), Arrays.copyOf(whole, 40));
        assertThat(file().recall(RUNTIME)).isEmpty();
        Files.delete(state().resolve("pods"));
        Files.createDirectory(state().resolve("pods"));
        assertThat(file().recall(RUNTIME)).isEmpty();
        file().remember(RUNTIME, PODS, Set.of());
        assertThat(state().resolve("pods")).isDirectory();
    }
}
