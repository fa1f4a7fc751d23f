package io.dualstackd.netlink.process;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Starts another virtual machine with the class path of a test. */
public final class ChildJvm {
    private static final String CLASS = ".class";

    private ChildJvm() {}

    /** The command that runs a class; its standard error is that of the test. */
    public static ProcessBuilder of(Class<?> main, String... arguments) throws URISyntaxException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath(main),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static String classPath(Class<?> main) throws URISyntaxException {
        List<String> parts = new ArrayList<>();
        if (main.getClassLoader() instanceof URLClassLoader loader) {
            for (URL url : loader.getURLs()) {
                parts.add(Path.of(url.toURI()).toString());
            }
        }
        parts.add(System.getProperty("java.class.path"));
        return String.join(File.pathSeparator, parts);
    }

    /**
     * Loads, in the child, what lies in the folders of these classes: a process without file descriptors could not read it later.
     *
     * @param pattern a regular expression for the paths of the files to load
     */
    public static void loadClasses(String pattern, Class<?>... known) throws IOException, URISyntaxException {
        for (Class<?> each : known) {
            Path folder = Path.of(
                    each.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (!Files.isDirectory(folder)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(folder)) {
                files.map(folder::relativize)
                        .map(Path::toString)
                        .filter(file -> file.endsWith(CLASS) && file.matches(pattern))
                        .forEach(file -> load(file, each.getClassLoader()));
            }
        }
    }

    private static void load(String file, ClassLoader loader) {
        String name = file.substring(0, file.length() - CLASS.length()).replace('/', '.');
        try {
            Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        } catch (LinkageError e) {
            // Tests of other things, whose libraries are not on the class path.
        }
    }
}
