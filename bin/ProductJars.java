import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.Deflater;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.TypePath;

/**
 * Makes jars as the product has them. Classes that were compiled for Java 5 or before get the stack maps that newer ones have, because the JVM
 * keeps no class without them in its ahead-of-time cache. Names of local variables and annotations for compilers, which only
 * debuggers and compilers read, are left out; line numbers stay. So do licences; what build tools left beside the classes does not.
 *
 * <p>usage: java -cp 'JARS/*' bin/ProductJars.java JAR... replaces each jar; the class path has ASM and what the classes need
 */
final class ProductJars {
    /** What no program reads at run time. */
    private static final List<String> LEFT_OUT =
            List.of("META-INF/maven/", "META-INF/native-image/", "META-INF/proguard/", "META-INF/rewrite/");

    private ProductJars() {}

    public static void main(String[] arguments) throws IOException {
        for (String each : arguments) {
            Path jar = Path.of(each);
            Path fresh = jar.resolveSibling(jar.getFileName() + ".new");
            FileTime time = Files.getLastModifiedTime(jar);
            make(jar, fresh);
            Files.setLastModifiedTime(fresh, time);
            Files.move(fresh, jar, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void make(Path from, Path to) throws IOException {
        try (JarFile jar = new JarFile(from.toFile());
                OutputStream file = Files.newOutputStream(to);
                JarOutputStream out = new JarOutputStream(file)) {
            out.setLevel(Deflater.BEST_COMPRESSION);
            for (JarEntry entry : jar.stream().toList()) {
                if (isLeftOut(entry.getName())) {
                    continue;
                }
                byte[] bytes = jar.getInputStream(entry).readAllBytes();
                JarEntry same = new JarEntry(entry.getName());
                same.setTime(entry.getTime());
                out.putNextEntry(same);
                out.write(entry.getName().endsWith(".class") ? made(bytes) : bytes);
            }
        }
    }

    private static boolean isLeftOut(String name) {
        return name.endsWith(".proto") || LEFT_OUT.stream().anyMatch(name::startsWith);
    }

    /** Whether an annotation is read at run time; those about null have that retention, but are not. */
    private static boolean isRead(String annotation, boolean visible) {
        return visible && !annotation.startsWith("Lorg/jspecify/");
    }

    private static byte[] made(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        boolean old = reader.readUnsignedShort(6) < Opcodes.V1_6;
        ClassWriter writer = new ClassWriter(old ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS) {
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
        reader.accept(new DirectCalls(new Lean(writer, old)), 0);
        return writer.toByteArray();
    }

    /** Leaves out what only debuggers and compilers read; writes the version of Java 8 for old classes. */
    private static final class Lean extends ClassVisitor {
        private final boolean old;

        Lean(ClassWriter writer, boolean old) {
            super(Opcodes.ASM9, writer);
            this.old = old;
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            super.visit(old ? Opcodes.V1_8 : version, access, name, signature, parent, interfaces);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return isRead(descriptor, visible) ? super.visitAnnotation(descriptor, true) : null;
        }

        @Override
        public AnnotationVisitor visitTypeAnnotation(int place, TypePath path, String descriptor, boolean visible) {
            return isRead(descriptor, visible) ? super.visitTypeAnnotation(place, path, descriptor, true) : null;
        }

        @Override
        public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            return new FieldVisitor(Opcodes.ASM9, super.visitField(access, name, descriptor, signature, value)) {
                @Override
                public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return isRead(annotation, visible) ? super.visitAnnotation(annotation, true) : null;
                }

                @Override
                public AnnotationVisitor visitTypeAnnotation(
                        int place, TypePath path, String annotation, boolean visible) {
                    return isRead(annotation, visible)
                            ? super.visitTypeAnnotation(place, path, annotation, true)
                            : null;
                }
            };
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            return new MethodVisitor(
                    Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
                @Override
                public void visitLocalVariable(
                        String variable, String type, String generic, Label start, Label end, int index) {
                    // Only a debugger asks.
                }

                @Override
                public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return isRead(annotation, visible) ? super.visitAnnotation(annotation, true) : null;
                }

                @Override
                public AnnotationVisitor visitTypeAnnotation(
                        int place, TypePath path, String annotation, boolean visible) {
                    return isRead(annotation, visible)
                            ? super.visitTypeAnnotation(place, path, annotation, true)
                            : null;
                }
            };
        }
    }
}
