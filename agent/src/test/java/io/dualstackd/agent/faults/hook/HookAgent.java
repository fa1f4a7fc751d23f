package io.dualstackd.agent.faults.hook;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The agent's main class. It logs what it did on standard error, in lines that begin with {@code fault-hook:}. */
public final class HookAgent {
    private static final String PRODUCT = "io/dualstackd/";
    private static final String OWN = "io/dualstackd/agent/faults/";

    /** Standard input ends when the parent process ends. */
    private static final int ORPHANED = 86;

    private HookAgent() {}

    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new EveryMethod());
        Thread.ofPlatform().daemon().name("fault-hook").start(HookAgent::obey);
    }

    private static void obey() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                obey(line.split(" ", -1));
            }
        } catch (IOException e) {
            // As good as its end.
        }
        Runtime.getRuntime().halt(ORPHANED);
    }

    private static void obey(String[] words) {
        try {
            switch (words[0]) {
                case "clock" -> Hooks.step(Long.parseLong(words[1]));
                case "throw" ->
                    Hooks.arm(
                            words[1],
                            words[2],
                            Class.forName(words[3]).asSubclass(Throwable.class),
                            Integer.parseInt(words[4]));
                case "disarm" -> {
                    System.err.println("fault-hook: " + (Hooks.isArmed() ? "never thrown" : "disarmed"));
                    Hooks.disarm();
                }
                case "threads" -> say("threads " + threads());
                case "hog" -> hog(Long.parseLong(words[1]));
                default -> say("does not know \"" + String.join(" ", words) + "\"");
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            say(e.toString());
        }
    }

    private static void say(String what) {
        System.err.println("fault-hook: " + what);
    }

    private static String threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .sorted()
                .collect(Collectors.joining(","));
    }

    /** Fills the heap and keeps it full for a while. */
    private static void hog(long millis) {
        Deque<byte[]> kept = new ArrayDeque<>();
        long end = System.nanoTime() + millis * 1_000_000;
        int size = 1 << 20;
        while (System.nanoTime() < end) {
            try {
                kept.add(new byte[size]);
            } catch (OutOfMemoryError e) {
                size = Math.max(size / 2, 16);
                Thread.onSpinWait();
            }
        }
        int pieces = kept.size();
        kept.clear();
        say("gave the heap back, pieces " + pieces);
    }

    /** Puts a call to {@link Hooks#enter} into each method, and ours in the place of the system's clocks. */
    private static final class EveryMethod implements ClassFileTransformer {
        @Override
        public byte @Nullable [] transform(
                Module module,
                @Nullable ClassLoader loader,
                @Nullable String name,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] bytes) {
            if (name == null || loader == null || !name.startsWith(PRODUCT) || name.startsWith(OWN)) {
                return null;
            }
            try {
                ClassFile classFile = ClassFile.of(
                        ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(loader)
                                .orElse(ClassHierarchyResolver.defaultResolver())
                                .cached()));
                return classFile.transformClass(
                        classFile.parse(bytes),
                        ClassTransform.transformingMethodBodies(
                                method -> !method.methodName().stringValue().startsWith("<"), new HookedCode()));
            } catch (RuntimeException e) {
                say(name + " is left as it is: " + e);
                return null;
            }
        }
    }
}
