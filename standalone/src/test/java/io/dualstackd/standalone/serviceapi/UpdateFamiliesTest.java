package io.dualstackd.standalone.serviceapi;

import static io.dualstackd.standalone.serviceapi.CreateFamiliesTest.families;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.standalone.serviceapi.FamilyRules.Answer;
import io.dualstackd.standalone.serviceapi.FamilyRules.Kind;
import io.dualstackd.standalone.serviceapi.FamilyRules.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A Service that is written again, on dual-stack clusters of both orders. */
final class UpdateFamiliesTest {
    private static final Kind KIND = new Kind("ClusterIP", true);
    private static final String[] POLICIES = {"nil", "S", "P", "R"};
    /** Per policy: families nil, single, dual with addresses nil, single, dual each; the number of families, or - . */
    private static final String[] FROM_SINGLE = {"11- 11- ---", "11- 11- ---", "222 222 222", "222 222 222"};

    private static final String[] FROM_DUAL = {"2-2 --- 2-2", "111 111 111", "2-2 --- 2-2", "2-2 --- 2-2"};
    /** Families nil, single, dual; the only address is None. */
    private static final String[] HEADLESS_FROM_SINGLE = {"11-", "11-", "222", "222"};

    private static final String[] HEADLESS_FROM_DUAL = {"2-2", "111", "2-2", "2-2"};

    private static Optional<IpFamilyPolicy> policy(String word) {
        return Stream.of(IpFamilyPolicy.values())
                .filter(policy -> policy.toString().startsWith(word))
                .findFirst();
    }

    private static List<IpFamily> order(String cluster, int count) {
        return families(cluster).subList(0, count);
    }

    private static List<String> ips(String cluster, int count) {
        List<String> all = new ArrayList<>();
        families(cluster).forEach(family -> all.add(family == IpFamily.IPV4 ? "10.0.0.10" : "2000::1"));
        return all.subList(0, count);
    }

    private static Answer update(String cluster, FamilyFields given, FamilyFields old) {
        FamilyFields wanted = ClusterIpFields.kept(ClusterIpFields.normalised(given, old), old);
        return new FamilyRules(families(cluster), Semantics.KUBERNETES).update(KIND, wanted, new Stored(KIND, old));
    }

    static Stream<Arguments> rows() {
        List<Arguments> rows = new ArrayList<>();
        for (String cluster : List.of("46", "64")) {
            for (int old = 1; old <= 2; old++) {
                String[] table = old == 1 ? FROM_SINGLE : FROM_DUAL;
                for (int policy = 0; policy < POLICIES.length; policy++) {
                    String results = table[policy].replace(" ", "");
                    for (int i = 0; i < results.length(); i++) {
                        rows.add(Arguments.of(cluster, old, POLICIES[policy], i / 3, i % 3, results.charAt(i)));
                    }
                }
            }
        }
        return rows.stream();
    }

    private static FamilyFields old(String cluster, int families) {
        List<String> ips = ips(cluster, families);
        return new FamilyFields(
                ips.getFirst(),
                ips,
                order(cluster, families),
                Optional.of(families == 1 ? IpFamilyPolicy.SINGLE_STACK : IpFamilyPolicy.REQUIRE_DUAL_STACK));
    }

    @ParameterizedTest(name = "cluster {0}, from {1}: policy {2}, {3} families, {4} addresses: {5}")
    @MethodSource("rows")
    void row(String cluster, int oldCount, String policy, int families, int addresses, char expected) {
        List<String> ips = ips(cluster, addresses);
        FamilyFields given =
                new FamilyFields(ips.isEmpty() ? "" : ips.getFirst(), ips, order(cluster, families), policy(policy));
        FamilyFields old = old(cluster, oldCount);
        check(update(cluster, given, old), cluster, expected);
        checkObjects(cluster, given, old, expected);
    }

    /** The same with whole objects. */
    private static void checkObjects(String cluster, FamilyFields given, FamilyFields old, char expected) {
        ServiceRules.Answer answer = ServiceFixtures.rules(cluster)
                .update(ServiceFixtures.withFamilies(given, true), ServiceFixtures.withFamilies(old, true));
        switch (answer) {
            case ServiceRules.Answer.Rejected(List<Rejection> rejections) ->
                assertThat('-').as(rejections.toString()).isEqualTo(expected);
            case ServiceRules.Answer.Settled(Tree.Mapping ignored, ServiceFields fields) ->
                check(new Answer.Settled(fields.families()), cluster, expected);
        }
    }

    private static void check(Answer answer, String cluster, char expected) {
        switch (answer) {
            case Answer.Rejected(List<Rejection> rejections) ->
                assertThat('-').as(rejections.toString()).isEqualTo(expected);
            case Answer.Settled(FamilyFields fields) -> {
                assertThat(fields.ipFamilies()).isEqualTo(order(cluster, Character.digit(expected, 10)));
                if (!fields.isHeadless()) {
                    assertThat(fields.clusterIps())
                            .hasSizeLessThanOrEqualTo(fields.ipFamilies().size());
                }
            }
        }
    }

    static Stream<Arguments> headlessRows() {
        List<Arguments> rows = new ArrayList<>();
        for (String cluster : List.of("46", "64")) {
            for (int old = 1; old <= 2; old++) {
                for (int policy = 0; policy < POLICIES.length; policy++) {
                    String results = (old == 1 ? HEADLESS_FROM_SINGLE : HEADLESS_FROM_DUAL)[policy];
                    for (int i = 0; i < results.length(); i++) {
                        rows.add(Arguments.of(cluster, old, POLICIES[policy], i, results.charAt(i)));
                    }
                }
            }
        }
        return rows.stream();
    }

    @ParameterizedTest(name = "headless, cluster {0}, from {1}: policy {2}, {3} families: {4}")
    @MethodSource("headlessRows")
    void headlessRow(String cluster, int oldCount, String policy, int families, char expected) {
        List<String> none = List.of(FamilyFields.NONE);
        FamilyFields old = old(cluster, oldCount).withClusterIps(FamilyFields.NONE, none);
        FamilyFields given = new FamilyFields(FamilyFields.NONE, none, order(cluster, families), policy(policy));
        check(update(cluster, given, old), cluster, expected);
        checkObjects(cluster, given, old, expected);
    }

    @Test
    void inTheTextOfTheKepNamingTwoIsAskingForTwo() {
        FamilyFields given = FamilyFields.UNSET.withFamilies(families("46"));
        FamilyFields old = old("46", 1);
        Tree.Mapping written = ServiceFixtures.withFamilies(given, true);
        Tree.Mapping stored = ServiceFixtures.withFamilies(old, true);
        ServiceRules kep = new ServiceRules(families("46"), Semantics.KEP_563);
        assertThat(ServiceFixtures.settled(kep.update(written, stored)).fields().families())
                .isEqualTo(new FamilyFields("10.0.0.10", old.clusterIps(), families("46"), policy("R")));
        assertThat(ServiceFixtures.rules("46").update(written, stored))
                .isInstanceOf(ServiceRules.Answer.Rejected.class);
    }

    @Test
    void aHeadlessServiceMayChangeItsFamilies() {
        FamilyFields four = new FamilyFields(FamilyFields.NONE, List.of(FamilyFields.NONE), families("4"), policy("S"));
        assertThat(update("46", four.withFamilies(families("6")), four))
                .isEqualTo(new Answer.Settled(four.withFamilies(families("6"))));
    }

    @Test
    void theOrderCannotBeTurnedRound() {
        FamilyFields old = old("46", 1);
        FamilyFields turned = new FamilyFields("", List.of(), families("64"), policy("P"));
        assertThat(update("46", turned, old)).isInstanceOf(Answer.Rejected.class);
        FamilyFields ipsTurned = new FamilyFields("2000::1", List.of("2000::1", "10.0.0.10"), List.of(), policy("P"));
        assertThat(update("46", ipsTurned, old)).isInstanceOf(Answer.Rejected.class);
        FamilyFields both = new FamilyFields("", List.of(), families("64"), policy("R"));
        assertThat(update("46", both, old("46", 2))).isInstanceOf(Answer.Rejected.class);
    }

    @Test
    void anAddressStaysWhatItIs() {
        FamilyFields old = old("46", 1);
        FamilyFields other = new FamilyFields("10.0.0.11", List.of("10.0.0.11"), families("4"), policy("S"));
        assertThat(update("46", other, old))
                .isEqualTo(new Answer.Rejected(
                        List.of(new Rejection("spec.clusterIPs[0]", "10.0.0.11", "may not change once set"))));
        FamilyFields none = old.withClusterIps(FamilyFields.NONE, List.of(FamilyFields.NONE));
        assertThat(update("46", none, old)).isInstanceOf(Answer.Rejected.class);
        assertThat(update("46", old, none)).isInstanceOf(Answer.Rejected.class);
    }

    @Test
    void aServiceThatPrefersTwoIsNotUpgradedBecauseTheClusterWas() {
        FamilyFields old = new FamilyFields("10.0.0.10", List.of("10.0.0.10"), families("4"), policy("P"));
        assertThat(update("46", old, old)).isEqualTo(new Answer.Settled(old));
        FamilyFields asked = old.withFamilies(families("46"));
        assertThat(update("46", asked, old)).isEqualTo(new Answer.Settled(asked));
    }

    @Test
    void onASingleStackClusterNothingBecomesDual() {
        FamilyFields old = old("4", 1);
        assertThat(update("4", old, old)).isEqualTo(new Answer.Settled(old));
        assertThat(update("4", new FamilyFields("", List.of(), List.of(), policy("R")), old))
                .isInstanceOf(Answer.Rejected.class);
        assertThat(update("4", new FamilyFields("", List.of(), families("46"), policy("P")), old))
                .isInstanceOf(Answer.Rejected.class);
    }

    @Test
    void anExternalNameBecomesAServiceLikeANewOne() {
        Stored external = new Stored(new Kind("ExternalName", false), FamilyFields.UNSET);
        FamilyRules rules = new FamilyRules(families("46"), Semantics.KUBERNETES);
        assertThat(rules.update(KIND, FamilyFields.UNSET, external)).isEqualTo(rules.create(KIND, FamilyFields.UNSET));
        assertThat(rules.update(external.kind(), FamilyFields.UNSET, new Stored(KIND, old("46", 2))))
                .isEqualTo(new Answer.Settled(FamilyFields.UNSET));
    }
}
