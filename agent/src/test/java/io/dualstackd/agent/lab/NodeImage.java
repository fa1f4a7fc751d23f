package io.dualstackd.agent.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The image of a whole node: busybox, containerd, runc and CNI plugins, copied from this machine with the libraries they need. A JDK
 * is not in it, only what a JDK needs: it is mounted, for it is three times as large.
 */
final class NodeImage {
    static final String NAME = "lab.test/node:1";

    private static final Path KEPT = Path.of("target", "lab");
    private static final Pattern LIBRARY = Pattern.compile("(?:=> |^\\s+)(/\\S+) \\(0x", Pattern.MULTILINE);

    private NodeImage() {}

    /** As {@code docker save} writes it; made once per checkout and version of these programs. */
    static synchronized Path archive() throws Exception {
        List<Path> programs = programs();
        Path kept =
                KEPT.resolve("node-" + Integer.toHexString(versions(programs).hashCode()) + ".tar");
        if (!Files.exists(kept)) {
            Files.createDirectories(KEPT);
            Path fresh = Files.createTempFile(KEPT, "node", ".tar");
            try (DockerArchive archive = DockerArchive.to(fresh)) {
                Layer layer = Images.busyboxTree();
                for (Path file : programs) {
                    layer.program(file.toString().substring(1), file);
                }
                for (Path library : libraries(programs)) {
                    layer.program(library.toString().substring(1), library);
                }
                archive.image(NAME, List.of("/bin/sh"), layer.finished());
            }
            Files.move(fresh, kept, StandardCopyOption.ATOMIC_MOVE);
        }
        return kept.toAbsolutePath();
    }

    private static List<Path> programs() {
        List<Path> programs = new ArrayList<>();
        for (String name : List.of("containerd", "containerd-shim-runc-v2", "ctr", "runc")) {
            programs.add(Stream.of("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin")
                    .map(folder -> Path.of(folder, name))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no " + name + " on this machine")));
        }
        for (String name : List.of("bridge", "host-local", "loopback")) {
            programs.add(Containerd.cniPrograms().resolve(name));
        }
        return programs;
    }

    private static String versions(List<Path> programs) throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path program : programs) {
            all.append(program).append(Files.getLastModifiedTime(program)).append(Files.size(program));
        }
        return all.toString();
    }

    /** Of the programs and of a JDK, at the paths where their loader looks for them. */
    private static Set<Path> libraries(List<Path> programs) throws Exception {
        Path jdk = Path.of(System.getProperty("java.home"));
        List<Path> users = new ArrayList<>(programs);
        users.add(jdk.resolve("bin/java"));
        users.add(jdk.resolve("lib/server/libjvm.so"));
        for (String name : List.of("java", "jimage", "zip", "net", "nio", "extnet", "management")) {
            users.add(jdk.resolve("lib/lib" + name + ".so"));
        }
        Set<Path> libraries = new TreeSet<>();
        for (Path user : users) {
            Process ldd = new ProcessBuilder("ldd", user.toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            ldd.waitFor();
            Matcher library = LIBRARY.matcher(output);
            while (library.find()) {
                Path path = Path.of(library.group(1));
                if (!path.normalize().startsWith(jdk)) {
                    libraries.add(path);
                }
            }
        }
        return libraries;
    }
}
