import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Gives the classes of a jar that were compiled for Java 5 or before the stack maps that newer ones have, because the JVM keeps no class
 * without them in its ahead-of-time cache. What the classes do stays the same.
 *
 * <p>usage: java -cp 'JARS/*' bin/StackMaps.java JAR... replaces each jar; the class path has ASM and what the classes need
 */
final class StackMaps {
    private StackMaps() {}

    public static void main(String[] arguments) throws IOException {
        for (String each : arguments) {
            Path jar = Path.of(each);
            Path fresh = jar.resolveSibling(jar.getFileName() + ".new");
            FileTime time = Files.getLastModifiedTime(jar);
            map(jar, fresh);
            Files.setLastModifiedTime(fresh, time);
            Files.move(fresh, jar, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void map(Path from, Path to) throws IOException {
        try (JarFile jar = new JarFile(from.toFile());
                OutputStream file = Files.newOutputStream(to);
                JarOutputStream out = new JarOutputStream(file)) {
            for (JarEntry entry : jar.stream().toList()) {
                byte[] bytes = jar.getInputStream(entry).readAllBytes();
                JarEntry same = new JarEntry(entry.getName());
                same.setTime(entry.getTime());
                out.putNextEntry(same);
                out.write(entry.getName().endsWith(".class") ? mapped(bytes) : bytes);
            }
        }
    }

    private static byte[] mapped(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        if (reader.readUnsignedShort(6) >= Opcodes.V1_6) {
            return bytes;
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            /** Of classes that are in no jar here, the one that fits all. */
            @Override
            protected String getCommonSuperClass(String one, String other) {
                try {
                    return super.getCommonSuperClass(one, other);
                } catch (TypeNotPresentException e) {
                    return "java/lang/Object";
                }
            }
        };
        reader.accept(new Newer(writer), 0);
        return writer.toByteArray();
    }

    /** Writes the version of Java 8. */
    private static final class Newer extends org.objectweb.asm.ClassVisitor {
        Newer(ClassWriter writer) {
            super(Opcodes.ASM9, writer);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            super.visit(Opcodes.V1_8, access, name, signature, parent, interfaces);
        }
    }
}
