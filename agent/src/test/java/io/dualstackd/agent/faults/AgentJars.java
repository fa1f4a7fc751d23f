package io.dualstackd.agent.faults;

import io.dualstackd.agent.faults.hook.HookAgent;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/** Packs the {@link HookAgent}, and the product. */
final class AgentJars {
    private static final List<String> CLASSES = List.of(
            "HookAgent", "HookAgent$EveryMethod", "HookedCode", "Hooks", "Hooks$Throwing", "Hooks$SteppedClock");

    private AgentJars() {}

    static Path pack(Path folder) throws IOException {
        Path jar = folder.resolve("hooks.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), HookAgent.class.getName());
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (String name : CLASSES) {
                String path = HookAgent.class.getPackageName().replace('.', '/') + "/" + name + ".class";
                out.putNextEntry(new JarEntry(path));
                try (InputStream in = HookAgent.class.getClassLoader().getResourceAsStream(path)) {
                    if (in == null) {
                        throw new IOException(path + " is not on the class path");
                    }
                    in.transferTo(out);
                }
            }
        }
        return jar;
    }

    /**
     * The class path of the product, with its folders packed into one jar, as it is installed: a class in a folder cannot be loaded without a
     * descriptor, one in a jar can.
     */
    static String productClassPath(Path folder) throws IOException {
        Path jar = folder.resolve("product.jar");
        List<String> parts = new ArrayList<>(List.of(jar.toString()));
        Set<String> packed = new HashSet<>();
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.setLevel(Deflater.BEST_SPEED);
            for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                if (!Files.isDirectory(Path.of(part))) {
                    parts.add(part);
                } else if (!part.endsWith("test-classes") && !part.endsWith("/test")) {
                    pack(Path.of(part), out, packed);
                }
            }
        }
        return String.join(File.pathSeparator, parts);
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
