package io.dualstackd.agent.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Classes of the product do what the compiled ones do, after {@code bin/DirectCalls.java} has replaced their dynamic calls. */
final class DirectCallsTest {
    private static final Path SOURCE = Path.of("..", "bin", "DirectCalls.java");

    @TempDir
    Path compiled;

    private Constructor<?> visitor;

    @BeforeEach
    void compileVisitor() throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-d", compiled.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(SOURCE))
                            .call())
                    .isTrue();
        }
        ClassLoader loader =
                new URLClassLoader(new URL[] {compiled.toUri().toURL()}, DirectCallsTest.class.getClassLoader());
        visitor = loader.loadClass("DirectCalls").getDeclaredConstructor(ClassVisitor.class);
        visitor.setAccessible(true);
    }

    @Test
    void replacedCallsReturnTheSame() throws Exception {
        Callable<?> replaced = (Callable<?>) replacing()
                .loadClass(DirectCallsSubject.class.getName())
                .getConstructor()
                .newInstance();
        assertThat(replaced.getClass()).isNotEqualTo(DirectCallsSubject.class);
        assertThat(replaced.call()).isEqualTo(new DirectCallsSubject().call());
    }

    @Test
    void onlyCallsThatTheJvmKeepsAreLeft() throws Exception {
        List<String> left = new ArrayList<>();
        for (Class<?> each : List.of(
                DirectCallsSubject.class, DirectCallsSubject.Everything.class, DirectCallsSubject.Shape.class)) {
            new ClassReader(replaced(each.getName()))
                    .accept(
                            new ClassVisitor(Opcodes.ASM9) {
                                @Override
                                public MethodVisitor visitMethod(
                                        int access, String name, String descriptor, String generic, String[] thrown) {
                                    return new MethodVisitor(Opcodes.ASM9) {
                                        @Override
                                        public void visitInvokeDynamicInsn(
                                                String call, String type, Handle bootstrap, Object... arguments) {
                                            left.add(bootstrap.getOwner() + " " + call);
                                        }
                                    };
                                }
                            },
                            0);
        }
        assertThat(left)
                .containsOnly("java/lang/invoke/LambdaMetafactory accept", "java/lang/runtime/ObjectMethods toString");
    }

    /** A loader of these classes as they are in the product. */
    private ClassLoader replacing() {
        return new ClassLoader(DirectCallsTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (!name.startsWith(DirectCallsSubject.class.getName())) {
                    return super.loadClass(name, resolve);
                }
                synchronized (getClassLoadingLock(name)) {
                    Class<?> loaded = findLoadedClass(name);
                    if (loaded != null) {
                        return loaded;
                    }
                    try {
                        byte[] bytes = replaced(name);
                        return defineClass(name, bytes, 0, bytes.length);
                    } catch (IOException | ReflectiveOperationException e) {
                        throw new ClassNotFoundException(name, e);
                    }
                }
            }
        };
    }

    private byte[] replaced(String name) throws IOException, ReflectiveOperationException {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        try (InputStream in = DirectCallsTest.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
            new ClassReader(in).accept((ClassVisitor) visitor.newInstance(writer), 0);
        }
        return writer.toByteArray();
    }
}
