package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However the demo is interrupted, nothing of it is left. */
@Tag("kernel")
final class DemoEndTest {
    @TempDir
    private Path folder;

    @Test
    void interrupted() throws Exception {
        assertThat(endedBy("-INT")).isEqualTo(130);
    }

    @Test
    void killed() throws Exception {
        assertThat(endedBy("-KILL")).isEqualTo(137);
    }

    private int endedBy(String signal) throws Exception {
        Path temp = Files.createDirectory(folder.resolve("temp"));
        Launch launch = Launch.usual().with("-Djava.io.tmpdir=" + temp);
        try (HostUnderTest host = HostUnderTest.in(folder.resolve("host"), launch)) {
            host.commands().run("ip", "link", "set", "lo", "up");
            String links = host.commands().run("ip", "-j", "link");
            // A shell that starts us in the background makes us ignore SIGINT, and the demo would inherit that.
            RunningDaemon demo = host.startCommand(
                    List.of("env", "--default-signal=INT"),
                    List.of(
                            "demo",
                            "--connections",
                            "10000",
                            "--manifests",
                            Path.of("..", "examples").toString()));
            demo.awaitLines(" rules: ", 2);
            Set<String> namespaces = namespacesOf(demo.pid());
            namespaces.removeAll(namespacesOf(ProcessHandle.current().pid()));
            assertThat(namespaces).as("a node, a client, pods").hasSizeGreaterThan(5);
            List<ProcessHandle> children =
                    ProcessHandle.of(demo.pid()).orElseThrow().descendants().toList();
            assertThat(children).isEmpty();
            host.commands().run("kill", signal, Long.toString(demo.pid()));
            int exitCode = demo.awaitEnd();
            assertThat(host.commands().run("ip", "-j", "link")).isEqualTo(links);
            assertThat(holdersOf(namespaces)).isEmpty();
            try (Stream<Path> left = Files.list(temp)) {
                assertThat(left).isEmpty();
            }
            return exitCode;
        }
    }

    /** Network namespaces a process holds open. */
    private static Set<String> namespacesOf(long pid) throws IOException {
        Set<String> namespaces = new TreeSet<>();
        try (Stream<Path> fds = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path fd : fds.toList()) {
                linkOf(fd).filter(target -> target.startsWith("net:[")).forEach(namespaces::add);
            }
        }
        return namespaces;
    }

    /** A namespace lives as long as a process is in it, holds it open, or it is mounted somewhere. */
    private static List<String> holdersOf(Set<String> namespaces) throws IOException {
        List<String> holders = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            for (Path process :
                    all.filter(p -> p.getFileName().toString().matches("\\d+")).toList()) {
                for (String where : List.of("fd", "task")) {
                    entries(process.resolve(where))
                            .map(entry -> where.equals("fd") ? entry : entry.resolve("ns/net"))
                            .filter(entry -> linkOf(entry).anyMatch(namespaces::contains))
                            .map(Path::toString)
                            .forEach(holders::add);
                }
            }
        }
        holders.addAll(Files.readString(Path.of("/proc/self/mountinfo"))
                .lines()
                .filter(line -> namespaces.stream().anyMatch(line::contains))
                .collect(Collectors.toList()));
        return holders;
    }

    /** Empty when the process is gone by now. */
    private static Stream<Path> entries(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList().stream();
        } catch (IOException | java.io.UncheckedIOException e) {
            return Stream.empty();
        }
    }

    private static Stream<String> linkOf(Path link) {
        try {
            return Stream.of(Files.readSymbolicLink(link).toString());
        } catch (IOException e) {
            return Stream.empty();
        }
    }
}
