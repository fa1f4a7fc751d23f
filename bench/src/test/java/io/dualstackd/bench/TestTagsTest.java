package io.dualstackd.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.core.importer.Locations;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;

/**
 * Rules for the tags of all tests: a test that makes a network namespace, opens a netlink socket, starts a daemon or another program has
 * the tag {@code kernel}, because {@code mvn -Pfast test} runs those without it as any user and on any machine. This module is the last
 * one that is built, so the tests of all others have been compiled.
 */
@Tag("slow")
final class TestTagsTest {
    /** What {@code mvn -Pfast test} leaves out, as the root {@code pom.xml} says. */
    private static final Set<String> NOT_FAST = Set.of("kernel", "real-runtime", "fetched", "slow");

    private static final String TAG = "org.junit.jupiter.api.Tag";
    private static final JavaClasses TESTS = tests();

    /** Those of this module and of all others that have been compiled. */
    private static JavaClasses tests() {
        Set<Location> locations = new HashSet<>();
        for (Location location : Locations.ofPackage("io.dualstackd")) {
            if (location.contains("/test-classes/") || location.contains("-tests.jar")) {
                locations.add(location);
            }
        }
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(Path.of(".."))) {
            for (Path module : modules) {
                Path classes =
                        module.resolve("target/test-classes").toAbsolutePath().normalize();
                if (Files.isDirectory(classes) && locations.stream().noneMatch(l -> l.contains(classes.toString()))) {
                    locations.add(Location.of(classes));
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return new ClassFileImporter().importLocations(locations);
    }

    private static boolean needsMore(String owner, String method) {
        return switch (owner) {
            case "java.lang.ProcessBuilder" -> method.equals("<init>");
            case "java.lang.Runtime" -> method.equals("exec");
            case "io.dualstackd.netlink.sys.NetNs" -> method.equals("create");
            case "io.dualstackd.agent.app.Daemon" -> method.equals("start");
            case "io.dualstackd.agent.demo.DemoNet" -> method.equals("create");
            default -> owner.startsWith("io.dualstackd.netlink.io.") && method.equals("open");
        };
    }

    /** What is given a connection, sockets or all effects by the test, perhaps of its own making; those are judged themselves. */
    private static boolean isPlayed(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitCallTarget call
                && call.getRawParameterTypes().stream()
                        .anyMatch(type -> Set.of(
                                        "io.dualstackd.netlink.io.NetlinkConnection",
                                        "io.dualstackd.netlink.io.NetlinkSockets",
                                        "io.dualstackd.agent.app.Effects")
                                .contains(type.getName()));
    }

    private static Stream<JavaClass> testClasses() {
        return TESTS.stream()
                .filter(c -> c.getName().endsWith("Test") || c.getName().endsWith("Properties"))
                .filter(c -> !c.isInterface() && !c.getModifiers().contains(JavaModifier.ABSTRACT))
                .filter(c -> c.getAllMethods().stream().anyMatch(m -> m.isMetaAnnotatedWith(Testable.class)));
    }

    private static Set<String> tags(JavaClass test) {
        Set<String> tags = new HashSet<>();
        Optional<JavaClass> outer = Optional.of(test);
        while (outer.isPresent()) {
            JavaClass one = outer.get();
            Stream.concat(Stream.of(one), one.getAllRawSuperclasses().stream())
                    .flatMap(c -> c.getAnnotations().stream())
                    .flatMap(a -> Stream.concat(Stream.of(a), a.getRawType().getAnnotations().stream()))
                    .flatMap(TestTagsTest::single)
                    .filter(a -> a.getRawType().getName().equals(TAG))
                    .forEach(a -> tags.add(a.get("value").orElseThrow().toString()));
            outer = one.getEnclosingClass();
        }
        return tags;
    }

    /** Several tags of one class stand in an annotation around them. */
    private static Stream<JavaAnnotation<?>> single(JavaAnnotation<?> annotation) {
        return annotation.get("value").orElse("") instanceof JavaAnnotation<?>[] several
                ? Stream.of(several)
                : Stream.of(annotation);
    }

    /** The shortest way from a test to something that needs more than a JVM. */
    private static Optional<String> need(JavaClass test) {
        Map<JavaCodeUnit, String> ways = new HashMap<>();
        Deque<JavaCodeUnit> todo = new ArrayDeque<>();
        Set<JavaClass> made = new HashSet<>();
        make(test, "", made, ways, todo);
        while (!todo.isEmpty()) {
            JavaCodeUnit unit = todo.poll();
            String way = ways.get(unit) + "\n   " + unit.getOwner().getSimpleName() + "." + unit.getName();
            for (JavaAccess<?> access : accesses(unit)) {
                JavaClass owner = access.getTargetOwner();
                if (needsMore(owner.getName(), access.getTarget().getName()) && !isPlayed(access)) {
                    return Optional.of(way + "\n   " + access.getTarget().getFullName());
                }
                if (!TESTS.contain(owner.getName())) {
                    continue;
                }
                owner.getStaticInitializer().ifPresent(init -> add(init, way, ways, todo));
                if (access.getTarget() instanceof CodeUnitCallTarget call) {
                    call.resolveMember().ifPresent(found -> {
                        if (found instanceof JavaConstructor) {
                            make(owner, way, made, ways, todo);
                        }
                        add(found, way, ways, todo);
                    });
                }
            }
        }
        return Optional.empty();
    }

    private static List<JavaAccess<?>> accesses(JavaCodeUnit unit) {
        List<JavaAccess<?>> all = new ArrayList<>(unit.getCallsFromSelf());
        all.addAll(unit.getMethodReferencesFromSelf());
        all.addAll(unit.getConstructorReferencesFromSelf());
        return all;
    }

    /** An object was made: any of its methods may be called, by an interface too. */
    private static void make(
            JavaClass type, String way, Set<JavaClass> made, Map<JavaCodeUnit, String> ways, Deque<JavaCodeUnit> todo) {
        if (!made.add(type)) {
            return;
        }
        for (JavaClass part : Stream.concat(
                        Stream.of(type),
                        Stream.concat(type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream()))
                .filter(c -> TESTS.contain(c.getName()))
                .toList()) {
            part.getCodeUnits().forEach(unit -> add(unit, way, ways, todo));
        }
    }

    private static void add(JavaCodeUnit unit, String way, Map<JavaCodeUnit, String> ways, Deque<JavaCodeUnit> todo) {
        if (ways.putIfAbsent(unit, way) == null) {
            todo.add(unit);
        }
    }

    @Test
    void thereIsSomethingToCheck() {
        assertThat(testClasses().filter(test -> tags(test).contains("kernel"))).hasSizeGreaterThan(100);
        assertThat(testClasses().filter(test -> tags(test).isEmpty())).hasSizeGreaterThan(100);
    }

    @Test
    void testsThatNeedMoreThanAJvmAreTagged() {
        assertThat(testClasses()
                        .filter(test -> tags(test).stream().noneMatch(NOT_FAST::contains))
                        .flatMap(test -> need(test).map(way -> test.getName() + way).stream()))
                .isEmpty();
    }
}
