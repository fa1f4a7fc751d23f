package io.dualstackd.dns;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sockets, threads, clocks and loggers are in {@code dns.io}; and this module knows no other of ours but addresses. */
final class PurePackagesTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.dualstackd.dns");

    private static final DescribedPredicate<JavaClass> PURE = DescribedPredicate.describe(
            "are in a pure package", type -> !type.getPackageName().endsWith(".io"));

    private static final DescribedPredicate<JavaClass> WORLD = DescribedPredicate.describe("touch the world", type -> {
        String name = type.getName();
        return List.of(
                                "java.nio.",
                                "java.net.",
                                "java.security.",
                                "java.util.concurrent.",
                                "org.slf4j.",
                                "io.netty.channel.",
                                "io.netty.buffer.",
                                "io.netty.bootstrap.",
                                "io.dualstackd.dns.io.")
                        .stream()
                        .anyMatch(prefix -> name.startsWith(prefix) && !name.startsWith("java.nio.charset."))
                || Set.of("java.lang.Thread", "java.time.Clock", "java.util.Random", "java.io.File")
                        .contains(name);
    });

    private static final DescribedPredicate<JavaMethodCall> WORLDLY_CALL =
            DescribedPredicate.describe("ask the clock or the environment", call -> {
                String method = call.getName();
                return switch (call.getTargetOwner().getName()) {
                    case "java.lang.System" -> !method.equals("arraycopy");
                    case "java.time.Instant" -> method.equals("now");
                    case "java.lang.Math" -> method.equals("random");
                    default -> false;
                };
            });

    @Test
    void pureClassesDoNotTouchTheWorld() {
        assertThat(OURS.stream().filter(PURE)).hasSizeGreaterThan(30);
        noClasses().that(PURE).should().dependOnClassesThat(WORLD).check(OURS);
        noClasses().that(PURE).should().callMethodWhere(WORLDLY_CALL).check(OURS);
    }

    @Test
    void otherModulesAreNotKnown() {
        noClasses()
                .should()
                .dependOnClassesThat(DescribedPredicate.describe("belong to another module", type -> {
                    String name = type.getPackageName();
                    return name.startsWith("io.dualstackd.")
                            && !name.startsWith("io.dualstackd.dns")
                            && !name.equals("io.dualstackd.netlink.ip");
                }))
                .check(OURS);
    }
}
