package io.dualstackd.agent.e2e;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A start in half the time for tests that start the daemon hundreds of times: the JVM loads its classes from a cache made by one run
 * before. The JVM caches only what comes out of jars, so the folders of the class path are packed into one.
 */
final class QuickLaunch {
    private QuickLaunch() {}

    static Launch prepared(Path folder) throws Exception {
        Path jar = folder.resolve("classes.jar");
        List<String> classPath = new ArrayList<>(List.of(jar.toString()));
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            Set<String> packed = new HashSet<>();
            for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                if (Files.isDirectory(Path.of(part))) {
                    pack(Path.of(part), out, packed);
                } else {
                    classPath.add(part);
                }
            }
        }
        Launch plain = Launch.usual().with(Path.of(String.join(File.pathSeparator, classPath)));
        Path cache = folder.resolve("classes.aot");
        try (HostUnderTest host =
                HostUnderTest.in(folder.resolve("training"), plain.with("-XX:AOTCacheOutput=" + cache))) {
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            RunningDaemon daemon = host.start();
            daemon.awaitInForce();
            daemon.terminate();
        }
        return Files.exists(cache) ? plain.with("-XX:AOTCache=" + cache) : plain;
    }

    private static void pack(Path folder, JarOutputStream out, Set<String> packed) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString();
                if (packed.add(name)) {
                    out.putNextEntry(new JarEntry(name));
                    Files.copy(file, out);
                }
            }
        }
    }
}
