package io.dualstackd.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Rules that hold for the whole source: packages form no cycle, modules use only those below them, and only packages whose names end in
 * {@code .io} or {@code .sys} touch files, sockets, clocks, threads or loggers; all others are functions of immutable values.
 */
@Tag("slow")
final class ArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            // Once modules are packaged, the tests of others come as jars, which the option above does not know.
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.dualstackd");

    /** The wiring, the command line, the demo: they put packages together. */
    private static final Set<String> WIRING = Set.of(
            "io.dualstackd.agent", "io.dualstackd.agent.app", "io.dualstackd.agent.cli", "io.dualstackd.agent.demo");

    private static final DescribedPredicate<JavaClass> PURE =
            DescribedPredicate.describe("are in a pure package", c -> isPure(c.getPackageName()));

    private static boolean isPure(String name) {
        return name.startsWith("io.dualstackd.")
                && !WIRING.contains(name)
                && !(name + ".").contains(".io.")
                && !(name + ".").contains(".sys.");
    }

    /** Files, sockets, threads, loggers, native code, randomness. */
    private static final DescribedPredicate<JavaClass> WORLD = DescribedPredicate.describe("touch the world", c -> {
        String name = c.getName();
        // A function of text.
        if (name.equals("java.net.URLDecoder")) {
            return false;
        }
        return startsWithAny(
                        name,
                        List.of(
                                "java.nio.file.",
                                "java.nio.channels.",
                                "java.net.",
                                "java.lang.foreign.",
                                "java.util.logging.",
                                "java.util.concurrent.locks.",
                                "org.slf4j.",
                                "jnr.",
                                "com.kenai.jffi.",
                                "picocli."))
                || Set.of(
                                "java.io.File",
                                "java.io.FileInputStream",
                                "java.io.FileOutputStream",
                                "java.io.RandomAccessFile",
                                "java.io.FileReader",
                                "java.io.FileWriter",
                                "java.io.PrintStream",
                                "java.lang.Thread",
                                "java.lang.Process",
                                "java.lang.ProcessBuilder",
                                "java.lang.ProcessHandle",
                                "java.lang.Runtime",
                                "java.time.Clock",
                                "java.util.Timer",
                                "java.util.Random",
                                "java.util.SplittableRandom",
                                "java.util.UUID",
                                "java.security.SecureRandom",
                                "java.util.concurrent.ThreadLocalRandom",
                                "java.util.concurrent.ExecutorService",
                                "java.util.concurrent.Executors",
                                "java.util.concurrent.CompletableFuture")
                        .contains(name);
    });

    private static boolean startsWithAny(String name, List<String> prefixes) {
        return prefixes.stream().anyMatch(name::startsWith);
    }

    /** Reading the clock, the environment or the randomness by a method of an otherwise harmless class. */
    private static final DescribedPredicate<JavaMethodCall> WORLDLY_CALL =
            DescribedPredicate.describe("ask the clock, the environment or chance", call -> {
                String owner = call.getTargetOwner().getName();
                String method = call.getName();
                return switch (owner) {
                    case "java.lang.System" ->
                        !Set.of("arraycopy", "identityHashCode", "lineSeparator")
                                .contains(method);
                    case "java.time.Instant", "java.time.LocalDateTime", "java.time.ZonedDateTime" ->
                        method.equals("now");
                    case "java.lang.Math" -> method.equals("random");
                    case "java.lang.Object" ->
                        Set.of("wait", "notify", "notifyAll").contains(method);
                    default -> false;
                };
            });

    @Test
    void thereIsSomethingToCheck() {
        for (String module : List.of("netlink.ip", "dataplane.plan", "kubeapi.objects")) {
            assertThat(OURS.stream().map(JavaClass::getPackageName)).contains("io.dualstackd." + module);
        }
        assertThat(OURS.stream().filter(PURE)).hasSizeGreaterThan(100);
    }

    @Test
    void purePackagesHaveNoEffects() {
        noClasses().that(PURE).should().dependOnClassesThat(WORLD).check(OURS);
    }

    @Test
    void purePackagesReadNoClockEnvironmentOrRandomness() {
        noClasses().that(PURE).should().callMethodWhere(WORLDLY_CALL).check(OURS);
    }

    @Test
    void purePackagesDoNotUseTheOthers() {
        noClasses()
                .that(PURE)
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "are in a package of ours that touches the world",
                        c -> c.getPackageName().startsWith("io.dualstackd.") && !isPure(c.getPackageName())))
                .check(OURS);
    }

    /** What a simulation runs takes its time, threads and waits from the platform, or from a {@code WatchTiming}. */
    @Test
    void simulatedCodeWaitsThroughPlatform() {
        Set<String> exceptions = Set.of(
                "io.dualstackd.supervision.sys.SystemPlatform",
                "io.dualstackd.supervision.sys.SteadyClock",
                "io.dualstackd.kubeapi.client.io.SystemTransport",
                "io.dualstackd.nodeaddr.io.WatchTiming",
                // Before a daemon starts.
                "io.dualstackd.node.io.HostName");
        noClasses()
                .that(DescribedPredicate.describe(
                        "are simulated",
                        c -> List.of("supervision", "kubeapi.client", "nodeaddr", "node", "agent.reconcile").stream()
                                        .anyMatch(part ->
                                                (c.getPackageName() + ".").startsWith("io.dualstackd." + part + "."))
                                && exceptions.stream()
                                        .noneMatch(name -> c.getName().equals(name)
                                                || c.getName().startsWith(name + "$"))))
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "wait or are random by themselves",
                        c -> Set.of(
                                        "java.util.concurrent.Semaphore",
                                        "java.util.concurrent.CountDownLatch",
                                        "java.util.concurrent.ThreadLocalRandom",
                                        "java.util.concurrent.Executors")
                                .contains(c.getName())))
                .orShould()
                .callMethodWhere(DescribedPredicate.describe(
                        "read a clock or start a thread",
                        (JavaMethodCall call) -> Map.of(
                                        "java.lang.System", Set.of("nanoTime", "currentTimeMillis"),
                                        "java.time.Instant", Set.of("now"),
                                        "java.lang.Thread",
                                                Set.of("ofPlatform", "ofVirtual", "startVirtualThread", "sleep"))
                                .getOrDefault(call.getTargetOwner().getName(), Set.of())
                                .contains(call.getName())))
                .check(OURS);
    }

    /**
     * Except the credential plugin that a kubeconfig names, and the editor that the command {@code edit} opens for a person. The daemon never
     * starts an editor: only that command may use the class.
     */
    @Test
    void noProcessIsStarted() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.dualstackd.kubeapi.access.io.ExecPlugin")
                .and()
                .doNotHaveFullyQualifiedName("io.dualstackd.agent.cli.Editor")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.ProcessBuilder")
                .orShould()
                .callMethodWhere(DescribedPredicate.describe(
                        "start a process",
                        (JavaMethodCall call) -> call.getTargetOwner().getName().equals("java.lang.Runtime")
                                && call.getName().equals("exec")))
                .check(OURS);
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.dualstackd.agent.cli.Editor")
                .and()
                .haveNameNotMatching("io\\.dualstackd\\.agent\\.cli\\.EditorCommand(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.dualstackd.agent.cli.Editor")
                .check(OURS);
    }

    @Test
    void nativeCodeIsCalledFromOnePackage() {
        classes()
                .that(DescribedPredicate.describe(
                        "use JNR",
                        (JavaClass c) -> c.getDirectDependenciesFromSelf().stream()
                                .anyMatch(d -> d.getTargetClass().getName().startsWith("jnr."))))
                .should()
                .resideInAnyPackage("io.dualstackd.netlink.sys..")
                .check(OURS);
    }

    /** From the bottom to the top; Maven keeps the same order for whole modules. */
    @Test
    void modulesUseOnlyThoseBelow() {
        List<String> upwards = List.of(
                "netlink",
                "nodeaddr",
                "dataplane",
                "explain",
                "supervision",
                "kubeapi",
                "standalone",
                "pods",
                "node",
                "dns",
                "admin",
                "pages",
                "agent");
        for (int i = 0; i < upwards.size() - 1; i++) {
            noClasses()
                    .that()
                    .resideInAPackage("io.dualstackd." + upwards.get(i) + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(upwards.subList(i + 1, upwards.size()).stream()
                            .map(module -> "io.dualstackd." + module + "..")
                            .toArray(String[]::new))
                    .check(OURS);
        }
    }

    /** Of the data plane, the Kubernetes objects know only the model they are translated to. */
    @Test
    void kubernetesObjectsKnowOnlyTheModelOfTheDataPlane() {
        noClasses()
                .that()
                .resideInAPackage("io.dualstackd.kubeapi..")
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "are in the data plane and not in its model",
                        c -> c.getPackageName().startsWith("io.dualstackd.dataplane.")
                                && !c.getPackageName().equals("io.dualstackd.dataplane.model")))
                .check(OURS);
    }

    @Test
    void packagesFormNoCycle() {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public String getDescription() {
                        return "packages";
                    }

                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass c) {
                        return c.getPackageName().startsWith("io.dualstackd.")
                                ? SliceIdentifier.of(c.getPackageName())
                                : SliceIdentifier.ignore();
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(OURS);
    }

    @Test
    void noPackageHasMoreThanThirtyFiles() {
        Map<String, Long> files = OURS.stream()
                .filter(c -> c.isTopLevelClass()
                        && c.getPackageName().startsWith("io.dualstackd.")
                        && !c.getPackageName().startsWith("io.dualstackd.cri.")
                        && !c.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(files.entrySet().stream().filter(e -> e.getValue() > 30)).isEmpty();
    }

    @Test
    void noSimpleNameMeansTwoClasses() {
        Map<String, List<String>> names = OURS.stream()
                .filter(c -> c.isTopLevelClass()
                        && c.getPackageName().startsWith("io.dualstackd.")
                        && !c.getPackageName().startsWith("io.dualstackd.cri")
                        && !c.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getPackageName, Collectors.toList())));
        assertThat(names.entrySet().stream().filter(e -> e.getValue().size() > 1))
                .isEmpty();
    }

    @Test
    void everyPackageIsDocumented() {
        Set<String> described = OURS.stream()
                .filter(c -> c.getSimpleName().equals("package-info"))
                .map(JavaClass::getPackageName)
                .collect(Collectors.toSet());
        assertThat(OURS.stream()
                        .map(JavaClass::getPackageName)
                        .filter(p -> p.startsWith("io.dualstackd."))
                        .distinct()
                        .filter(p -> !described.contains(p)))
                .isEmpty();
    }
}
