package io.dualstackd.standalone.serviceapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.standalone.serviceapi.FamilyRules.Answer;
import io.dualstackd.standalone.serviceapi.FamilyRules.Kind;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class CreateFamiliesTest {
    private static final List<Optional<IpFamilyPolicy>> POLICIES = List.of(
            Optional.empty(),
            Optional.of(IpFamilyPolicy.SINGLE_STACK),
            Optional.of(IpFamilyPolicy.PREFER_DUAL_STACK),
            Optional.of(IpFamilyPolicy.REQUIRE_DUAL_STACK));
    private static final List<String> FAMILIES = List.of("", "4", "6", "46", "64");

    static List<IpFamily> families(String digits) {
        return digits.chars()
                .mapToObj(digit -> digit == '4' ? IpFamily.IPV4 : IpFamily.IPV6)
                .toList();
    }

    static Stream<Arguments> rows() throws Exception {
        List<Arguments> rows = new ArrayList<>();
        try (InputStream in = CreateFamiliesTest.class.getResourceAsStream("create-families.txt")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().filter(row -> !row.startsWith("#")).toList()) {
                String[] words = line.replace("|", " ").trim().split(" +", -1);
                assertThat(words).hasSize(2 + POLICIES.size() * FAMILIES.size());
                for (int i = 0; i < POLICIES.size() * FAMILIES.size(); i++) {
                    rows.add(Arguments.of(
                            words[0],
                            words[1],
                            POLICIES.get(i / FAMILIES.size()),
                            FAMILIES.get(i % FAMILIES.size()),
                            words[2 + i]));
                }
            }
        }
        assertThat(rows).hasSize(26 * 20);
        return rows.stream();
    }

    private static List<String> clusterIps(String word) {
        return switch (word) {
            case "unset" -> List.of();
            case "ip4" -> List.of("10.0.0.10");
            case "ip6" -> List.of("2000::1");
            case "ip46" -> List.of("10.0.0.10", "2000::1");
            case "ip64" -> List.of("2000::1", "10.0.0.10");
            default -> List.of(FamilyFields.NONE);
        };
    }

    private static String brief(Answer answer) {
        return switch (answer) {
            case Answer.Rejected(List<Rejection> rejections) -> {
                assertThat(rejections)
                        .isNotEmpty()
                        .allMatch(rejection -> !rejection.rule().isBlank());
                yield "-";
            }
            case Answer.Settled(FamilyFields fields) -> brief(fields);
        };
    }

    static String brief(FamilyFields fields) {
        StringBuilder brief =
                new StringBuilder(fields.policy().orElseThrow().toString().substring(0, 1));
        fields.ipFamilies().forEach(family -> brief.append(family == IpFamily.IPV4 ? 4 : 6));
        return brief.toString();
    }

    @ParameterizedTest(name = "cluster {0}, {1}, policy {2}, families {3}: {4}")
    @MethodSource("rows")
    void row(String cluster, String addresses, Optional<IpFamilyPolicy> policy, String families, String expected) {
        List<String> ips = clusterIps(addresses);
        FamilyFields given = new FamilyFields(ips.isEmpty() ? "" : ips.getFirst(), ips, families(families), policy);
        Kind kind = new Kind("ClusterIP", !addresses.equals("headless-bare"));
        Answer answer = new FamilyRules(families(cluster), Semantics.KUBERNETES).create(kind, given);
        assertThat(brief(answer)).isEqualTo(expected);
        Tree.Mapping object = ServiceFixtures.withFamilies(given, kind.hasSelector());
        assertThat(brief(ServiceFixtures.rules(cluster).create(object))).isEqualTo(expected);
    }

    private static String brief(ServiceRules.Answer answer) {
        return switch (answer) {
            case ServiceRules.Answer.Rejected(List<Rejection> ignored) -> "-";
            case ServiceRules.Answer.Settled(Tree.Mapping ignored, ServiceFields fields) -> brief(fields.families());
        };
    }

    @Test
    void deviationsFromTheKep() {
        FamilyRules kep = new FamilyRules(families("46"), Semantics.KEP_563);
        FamilyFields two = FamilyFields.UNSET.withFamilies(families("64"));
        assertThat(brief(kep.create(new Kind("ClusterIP", true), two))).isEqualTo("R64");
        FamilyFields ips = FamilyFields.UNSET.withClusterIps("10.0.0.10", clusterIps("ip46"));
        assertThat(brief(kep.create(new Kind("ClusterIP", true), ips))).isEqualTo("R46");
        FamilyFields headless = FamilyFields.UNSET.withClusterIps("None", List.of("None"));
        assertThat(brief(kep.create(new Kind("ClusterIP", false), headless))).isEqualTo("P46");
        assertThat(brief(kep.create(new Kind("ClusterIP", true), FamilyFields.UNSET)))
                .isEqualTo("S4");
    }

    /** The text says {@code [IPv4, IPv6]}, whatever the first family of the cluster. */
    @Test
    void aHeadlessServiceWithoutSelectorHasTheFamiliesOfTheTextOnEveryNode() {
        FamilyFields headless = FamilyFields.UNSET.withClusterIps("None", List.of("None"));
        Kind bare = new Kind("ClusterIP", false);
        for (String cluster : List.of("4", "6", "46", "64")) {
            FamilyRules kep = new FamilyRules(families(cluster), Semantics.KEP_563);
            assertThat(brief(kep.create(bare, headless))).as(cluster).isEqualTo("P46");
            assertThat(brief(kep.create(bare, headless.withFamilies(families("6")))))
                    .isEqualTo("P64");
            assertThat(brief(kep.create(bare, headless.withPolicy(IpFamilyPolicy.SINGLE_STACK))))
                    .isEqualTo("S" + cluster.charAt(0));
        }
        FamilyRules upstream = new FamilyRules(families("64"), Semantics.KUBERNETES);
        assertThat(brief(upstream.create(bare, headless))).isEqualTo("R64");
    }

    @Test
    void anExternalNameHasNoneOfTheFields() {
        FamilyRules rules = new FamilyRules(families("46"), Semantics.KUBERNETES);
        Kind external = new Kind("ExternalName", false);
        assertThat(rules.create(external, FamilyFields.UNSET)).isEqualTo(new Answer.Settled(FamilyFields.UNSET));
        assertThat(rules.create(
                        external,
                        new FamilyFields(
                                "10.0.0.1",
                                List.of("10.0.0.1"),
                                families("4"),
                                Optional.of(IpFamilyPolicy.SINGLE_STACK))))
                .isInstanceOfSatisfying(
                        Answer.Rejected.class,
                        rejected -> assertThat(rejected.rejections())
                                .extracting(Rejection::field)
                                .containsExactly(
                                        "spec.clusterIP", "spec.clusterIPs", "spec.ipFamilies", "spec.ipFamilyPolicy"));
    }
}
