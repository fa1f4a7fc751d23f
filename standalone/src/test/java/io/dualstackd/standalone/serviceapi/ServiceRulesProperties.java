package io.dualstackd.standalone.serviceapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.ServiceCheck;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.random.Tries;
import io.dualstackd.standalone.serviceapi.ServiceRules.Answer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Invariants of every Service, however it was written. */
final class ServiceRulesProperties {
    private static final List<String> CLUSTERS = List.of("4", "6", "46", "64");

    private static ServiceRules rules(Random random) {
        return new ServiceRules(
                CreateFamiliesTest.families(CLUSTERS.get(random.nextInt(CLUSTERS.size()))),
                random.nextInt(3) == 0 ? Semantics.KEP_563 : Semantics.KUBERNETES);
    }

    @Test
    void anyTreeIsAnswered() {
        Tries.of(1_000, draw -> anyTreeIsAnswered(draw.seed()));
    }

    private void anyTreeIsAnswered(long seed) {
        Random random = new Random(seed);
        RandomServices services = new RandomServices(random);
        ServiceRules rules = rules(random);
        Tree.Mapping given = services.damaged(services.service());
        Tree.Mapping old = services.damaged(services.service());
        for (Answer answer : List.of(rules.create(given), rules.update(given, old), rules.update(old, given))) {
            switch (answer) {
                case Answer.Rejected(List<Rejection> rejections) ->
                    assertThat(rejections)
                            .isNotEmpty()
                            .allMatch(r -> !r.field().isBlank() || !r.rule().isBlank());
                case Answer.Settled(Tree.Mapping object, ServiceFields fields) -> {
                    assertThat(ServiceFields.of(object)).isEqualTo(fields);
                    assertThat(ServiceCheck.stored(object))
                            .as(ServiceFixtures.text(object))
                            .isEmpty();
                }
            }
        }
        rules.readDefaults(given);
        ServiceTree.with(given, List.of("10.0.0.1"), ServiceFields.of(old).ports(), 1);
    }

    /** Else the properties below would hold for nothing. */
    @Test
    void manyAreAccepted() {
        long accepted = LongStream.range(0, 1_000)
                .mapToObj(Random::new)
                .filter(random -> rules(random).create(new RandomServices(random).service()) instanceof Answer.Settled)
                .count();
        assertThat(accepted).isBetween(200L, 900L);
    }

    @Test
    void aSettledServiceIsConsistentAndStaysAsItIs() {
        Tries.of(1_000, draw -> aSettledServiceIsConsistentAndStaysAsItIs(draw.seed()));
    }

    private void aSettledServiceIsConsistentAndStaysAsItIs(long seed) {
        Random random = new Random(seed);
        ServiceRules rules = rules(random);
        Tree.Mapping given = new RandomServices(random).service();
        if (rules.create(given) instanceof Answer.Settled(Tree.Mapping object, ServiceFields fields)) {
            consistent(rules, fields);
            Tree.Mapping stored = RandomServices.numbered(object);
            assertThat(ServiceCheck.stored(stored))
                    .as(ServiceFixtures.text(stored))
                    .isEmpty();
            assertThat(rules.readDefaults(stored)).isEqualTo(withoutUselessPolicy(stored));
            assertThat(rules.update(stored, stored)).isEqualTo(new Answer.Settled(stored, ServiceFields.of(stored)));
            assertThat(rules.update(given, stored)).isEqualTo(new Answer.Settled(stored, ServiceFields.of(stored)));
        }
    }

    /** The internal traffic policy of an ExternalName may be written but is not read. */
    private static Tree.Mapping withoutUselessPolicy(Tree.Mapping stored) {
        Draft object = new Draft(stored);
        Draft spec = object.object("spec");
        if (ServiceFields.of(stored).isExternalName()) {
            spec.remove("internalTrafficPolicy");
            object.put("spec", spec);
        }
        return object.tree();
    }

    private static void same(Answer answer, Tree.Mapping expected) {
        assertThat(fields(ServiceFixtures.settled(answer).object())).isEqualTo(fields(expected));
    }

    /** Sorted, and without the annotation that identifies its text. */
    private static String fields(Tree.Mapping object) {
        return ServiceFixtures.text(
                        new TreeMap<>(new Draft(object).object("spec").entries()))
                + ServiceFixtures.text(
                        new TreeMap<>(new Draft(object).object("status").entries()));
    }

    private static void consistent(ServiceRules rules, ServiceFields fields) {
        FamilyFields families = fields.families();
        if (fields.isExternalName()) {
            assertThat(families).isEqualTo(FamilyFields.UNSET);
            return;
        }
        int count = families.ipFamilies().size();
        switch (families.policy().orElseThrow()) {
            case SINGLE_STACK -> assertThat(count).isEqualTo(1);
            case PREFER_DUAL_STACK -> assertThat(count).isBetween(1, 2);
            case REQUIRE_DUAL_STACK -> assertThat(count).isEqualTo(2);
        }
        assertThat(families.ipFamilies()).doesNotHaveDuplicates();
        if (!families.isHeadless()) {
            assertThat(rules.families()).containsAll(families.ipFamilies());
            assertThat(families.clusterIps()).hasSizeLessThanOrEqualTo(count);
            for (int i = 0; i < families.clusterIps().size(); i++) {
                Optional<Ip> ip = FamilyShape.ipOf(families.clusterIps().get(i));
                assertThat(ip.map(Ip::family)).contains(families.ipFamilies().get(i));
            }
        } else if (fields.hasSelector()) {
            assertThat(rules.families()).containsAll(families.ipFamilies());
        }
    }

    @Test
    void fromOneFamilyToTwoAndBack() {
        Tries.of(1_000, draw -> fromOneFamilyToTwoAndBack(draw.seed()));
    }

    private void fromOneFamilyToTwoAndBack(long seed) {
        Random random = new Random(seed);
        ServiceRules rules =
                new ServiceRules(CreateFamiliesTest.families(random.nextBoolean() ? "46" : "64"), Semantics.KUBERNETES);
        Tree.Mapping given = new RandomServices(random).service();
        if (!(rules.create(with(given, "SingleStack"))
                        instanceof Answer.Settled(Tree.Mapping object, ServiceFields fields))
                || fields.isExternalName()) {
            return;
        }
        Tree.Mapping single = RandomServices.numbered(object);
        // The author changes nothing but the policy of what he sees.
        Tree.Mapping dual =
                RandomServices.numbered(ServiceFixtures.settled(rules.update(with(single, "RequireDualStack"), single))
                        .object());
        List<IpFamily> families = ServiceFields.of(dual).families().ipFamilies();
        assertThat(families)
                .hasSize(2)
                .startsWith(ServiceFields.of(single).families().ipFamilies().getFirst());
        Tree.Mapping preferred = ServiceFixtures.settled(rules.update(with(dual, "PreferDualStack"), dual))
                .object();
        assertThat(ServiceFields.of(preferred).families().clusterIps())
                .isEqualTo(ServiceFields.of(dual).families().clusterIps());
        same(rules.update(with(preferred, "SingleStack"), preferred), single);
    }

    private static Tree.Mapping with(Tree.Mapping object, String policy) {
        Draft draft = new Draft(object);
        Draft spec = draft.object("spec");
        spec.put("ipFamilyPolicy", policy);
        draft.put("spec", spec);
        return draft.tree();
    }
}
