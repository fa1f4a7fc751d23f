package io.dualstackd.agent.faults;

import io.dualstackd.agent.faults.hook.HookAgent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Packs the {@link HookAgent}. */
final class HookJar {
    private static final List<String> CLASSES = List.of(
            "HookAgent", "HookAgent$EveryMethod", "HookedCode", "Hooks", "Hooks$Throwing", "Hooks$SteppedClock");

    private HookJar() {}

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
}
