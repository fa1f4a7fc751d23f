package io.dualstackd.standalone.ledger;

import static io.dualstackd.standalone.ledger.LedgerFixture.cidr;
import static io.dualstackd.standalone.ledger.LedgerFixture.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.allocation.AddressPool;
import io.dualstackd.standalone.serviceapi.Rejection;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The life of ServiceCIDRs: KEP-1880 and what controllers of Kubernetes 1.36 do. */
final class ServiceCidrsTest {
    private static final Duration LATER = Duration.ofSeconds(11);

    private static ObjectKey key(String name) {
        return new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", name);
    }

    private static List<String> networks(LedgerFixture fixture) {
        return fixture.ledger().ranges().stream()
                .map(fill -> fill.network().toString())
                .toList();
    }

    private static Set<String> take(LedgerFixture fixture, int from, int count) {
        Set<String> ips = new HashSet<>();
        for (int i = from; i < from + count; i++) {
            fixture.apply(yaml("s" + i));
            ips.addAll(fixture.ips("s" + i));
        }
        return ips;
    }

    private static List<Rejection> refusals(LedgerFixture fixture, String name) {
        return Optional.ofNullable(fixture.ledger().refused().get(key(name)))
                .map(EntryRefusal::rejections)
                .orElse(List.of());
    }

    @Test
    void addressesComeFromAllServiceCidrsTogether() {
        LedgerFixture fixture = new LedgerFixture("192.168.0.0/28");
        fixture.apply(cidr("second", "10.0.0.0/28"));
        assertThat(take(fixture, 0, 28)).hasSize(28);
        fixture.apply(yaml("s28"));
        assertThat(fixture.refusal("s28")).contains("no IPv4 address is free");
    }

    @Test
    void noAddressComesFromADeletedOne() {
        LedgerFixture fixture = new LedgerFixture("192.168.0.0/28");
        fixture.apply(cidr("second", "10.0.0.0/28"));
        fixture.deleteCidr("second");
        assertThat(take(fixture, 0, 15)).hasSize(14).allMatch(ip -> ip.startsWith("192.168.0."));
        fixture.advance(LATER);
        assertThat(fixture.ledger().find(key("second"))).isEmpty();
        assertThat(networks(fixture)).containsExactly("192.168.0.0/28");
    }

    @Test
    void aDeletedOneStaysWhileAnAddressDependsOnIt() {
        LedgerFixture fixture = new LedgerFixture("192.168.0.0/28");
        fixture.apply(cidr("second", "10.0.0.0/28"), yaml("web", "clusterIP: 10.0.0.5"));
        fixture.deleteCidr("second");
        fixture.advance(LATER);
        assertThat(fixture.ledger().waiting())
                .containsExactly(new LedgerView.Waiting("second", Optional.of("10.0.0.5")));
        assertThat(networks(fixture)).contains("10.0.0.0/28");
        fixture.apply(yaml("other", "clusterIP: 10.0.0.6"));
        assertThat(fixture.refusal("other")).contains("is in no ServiceCIDR that is ready");
        fixture.restart();
        fixture.apply(yaml("web", "clusterIP: 10.0.0.5"));
        assertThat(fixture.ips("web")).containsExactly("10.0.0.5");
        fixture.delete("web");
        assertThat(fixture.ledger().waiting()).isNotEmpty();
        fixture.advance(Duration.ZERO);
        assertThat(fixture.ledger().find(key("second"))).isEmpty();
    }

    @Test
    void itStaysTenSecondsAtLeast() {
        LedgerFixture fixture = new LedgerFixture("192.168.0.0/28");
        fixture.apply(cidr("second", "10.0.0.0/28"));
        fixture.deleteCidr("second");
        fixture.advance(Duration.ofSeconds(9));
        assertThat(fixture.ledger().find(key("second"))).isPresent();
        fixture.advance(Duration.ofSeconds(1));
        assertThat(fixture.ledger().find(key("second"))).isEmpty();
    }

    @Test
    void doesNotStayLongerWhenTheClockIsSetBack() {
        LedgerFixture fixture = new LedgerFixture("192.168.0.0/28");
        fixture.apply(cidr("second", "10.0.0.0/28"));
        fixture.deleteCidr("second");
        fixture.advance(Duration.ofDays(-1));
        fixture.restart();
        fixture.advance(Duration.ofSeconds(9));
        assertThat(fixture.ledger().find(key("second"))).isPresent();
        fixture.advance(Duration.ofSeconds(1));
        assertThat(fixture.ledger().find(key("second"))).isEmpty();
    }

    /** KEP-1880 says a minute. */
    @Test
    void staysAsLongAsConfigured() {
        LedgerFixture fixture = new LedgerFixture(new LedgerSettings(
                List.of(IpPrefix.parse("192.168.0.0/28")),
                30_000,
                30_099,
                Semantics.KUBERNETES,
                false,
                Duration.ofSeconds(60)));
        fixture.apply(cidr("second", "10.0.0.0/28"));
        fixture.deleteCidr("second");
        fixture.advance(Duration.ofSeconds(59));
        assertThat(fixture.ledger().find(key("second"))).isPresent();
        fixture.advance(Duration.ofSeconds(1));
        assertThat(fixture.ledger().find(key("second"))).isEmpty();
    }

    /** A file is not written again when the former one is gone at last. */
    @Test
    void anotherOneOfTheNameComesWhenTheDeletedOneIsGone() {
        LedgerFixture fixture = new LedgerFixture("192.168.0.0/28");
        fixture.apply(cidr("second", "10.0.0.0/28"), yaml("web", "clusterIP: 10.0.0.5"));
        fixture.deleteCidr("second");
        fixture.apply(cidr("second", "10.0.1.0/28"), yaml("other", "clusterIP: 10.0.1.5"));
        fixture.advance(LATER);
        assertThat(refusals(fixture, "second"))
                .singleElement()
                .asString()
                .contains("spec.cidrs", "10.0.1.0/28", "is being deleted", "tried again when that one is gone");
        assertThat(fixture.refusal("other")).contains("is in no ServiceCIDR");
        fixture.delete("web");
        fixture.advance(Duration.ofSeconds(5));
        assertThat(refusals(fixture, "second")).isEmpty();
        assertThat(networks(fixture)).containsExactly("192.168.0.0/28", "10.0.1.0/28");
        assertThat(fixture.ips("other")).containsExactly("10.0.1.5");
    }

    @Test
    void saidAgainInTimeItStays() {
        LedgerFixture fixture = new LedgerFixture("192.168.0.0/28");
        fixture.apply(cidr("second", "10.0.0.0/28"), yaml("web", "clusterIP: 10.0.0.5"));
        fixture.deleteCidr("second");
        fixture.advance(LATER);
        fixture.apply(cidr("second", "10.0.0.0/28"), yaml("b", "clusterIP: 10.0.0.6"));
        assertThat(fixture.ips("b")).containsExactly("10.0.0.6");
        assertThat(fixture.ledger().waiting()).isEmpty();
    }

    /** KEP-1880: which other ServiceCIDRs let one go whose address 10.0.0.5 is in use. */
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/28, 10.0.0.0/28, true",
        "10.0.0.0/28, 10.0.0.0/24, true",
        "10.0.0.0/24, 10.0.0.0/28, true",
        "10.0.0.0/24, 10.0.0.16/28, false",
        "10.0.0.0/24, 10.0.1.0/24, false",
    })
    void itMayGoWhenOthersHaveItsAddresses(String network, String other, boolean goes) {
        LedgerFixture fixture = new LedgerFixture("192.168.0.0/28");
        fixture.apply(cidr("old", network), yaml("web", "clusterIP: 10.0.0.5"), cidr("new", other));
        fixture.deleteCidr("old");
        fixture.advance(LATER);
        assertThat(fixture.ledger().find(key("old")).isEmpty()).isEqualTo(goes);
    }

    @Test
    void bothFamiliesOfOneMustBeFree() {
        LedgerFixture fixture = new LedgerFixture("192.168.0.0/28,fd00:1::/112");
        fixture.apply(cidr("second", "10.0.0.0/28", "fd00:2::/112"));
        fixture.apply(yaml("web", "clusterIP: fd00:2::5"));
        fixture.apply(cidr("third", "10.0.0.0/24"));
        fixture.deleteCidr("second");
        fixture.advance(LATER);
        assertThat(fixture.ledger().waiting())
                .containsExactly(new LedgerView.Waiting("second", Optional.of("fd00:2::5")));
        fixture.apply(cidr("fourth", "fd00:2::/64"));
        fixture.advance(Duration.ZERO);
        assertThat(fixture.ledger().find(key("second"))).isEmpty();
    }

    @Test
    void aNetworkIsThereAsLongAsOneOfItsOwnersIs() {
        LedgerFixture fixture = new LedgerFixture("192.168.0.0/28");
        fixture.apply(cidr("same", "192.168.0.0/28"));
        fixture.deleteCidr("same");
        assertThat(take(fixture, 0, 14)).hasSize(14);
        fixture.advance(LATER);
        assertThat(fixture.ledger().find(key("same"))).isEmpty();
        assertThat(networks(fixture)).containsExactly("192.168.0.0/28");
        assertThat(fixture.ledger().ranges()).allMatch(AddressPool.Fill::ready);
    }

    @Test
    void addressOfNestedNetworksBelongsToTheLargerOne() {
        LedgerFixture fixture = new LedgerFixture("192.168.1.0/24");
        for (String ip : List.of("192.168.1.0", "192.168.1.255")) {
            fixture.apply(yaml("web", "clusterIP: " + ip));
            assertThat(fixture.refusal("web")).contains("is in no ServiceCIDR that is ready");
        }
        fixture.apply(cidr("large", "192.168.0.0/16"));
        assertThat(fixture.ips("web")).containsExactly("192.168.1.255");
        fixture.apply(yaml("b", "clusterIP: 192.168.1.0"));
        assertThat(fixture.ips("b")).containsExactly("192.168.1.0");
        for (String ip : List.of("192.168.0.0", "192.168.255.255")) {
            fixture.apply(yaml("c", "clusterIP: " + ip));
            assertThat(fixture.refusal("c")).contains("is in no ServiceCIDR that is ready");
        }
    }

    @Test
    void aNetworkOfTheOtherFamilyMayBeAddedAndNothingElseChanged() {
        LedgerFixture fixture = new LedgerFixture(LedgerFixture.DUAL);
        fixture.apply(cidr("more", "10.97.0.0/24"));
        fixture.apply(cidr("more", "10.97.0.0/24", "fd00:97::/112"));
        assertThat(networks(fixture)).contains("fd00:97::/112");
        fixture.apply(cidr("more", "10.98.0.0/24"));
        assertThat(fixture.ledger().refused())
                .hasEntrySatisfying(
                        key("more"),
                        entryRefusal ->
                                assertThat(entryRefusal.rejections().toString()).contains("may not change once set"));
        assertThat(networks(fixture)).contains("10.97.0.0/24").doesNotContain("10.98.0.0/24");
    }

    /** The flag refuses such a network, too. API servers accept the object, and no Service ever gets an address of it. */
    @ParameterizedTest
    @CsvSource({
        "fd00:2::/48, is too large",
        "fd00:2::/63, is too large",
        "10.0.0.0/31, is too small",
        "10.0.0.1/32, is too small",
        "fd00:2::1/128, is too small",
    })
    void oneThatGivesNoAddressIsRefused(String network, String rule) {
        LedgerFixture fixture = new LedgerFixture("fd00:1::/124");
        fixture.apply(cidr("useless", network));
        assertThat(networks(fixture)).containsExactly("fd00:1::/124");
        assertThat(fixture.ledger().find(key("useless"))).isEmpty();
        assertThat(refusals(fixture, "useless")).singleElement().asString().contains("spec.cidrs[0]", network, rule);
    }

    @Test
    void oneOfEachFamilyOfWhichOneGivesNothingIsRefusedWithThePlace() {
        LedgerFixture fixture = new LedgerFixture("fd00:1::/124");
        fixture.apply(cidr("half", "10.97.0.0/24", "fd00:2::/48"));
        assertThat(refusals(fixture, "half").toString()).contains("spec.cidrs[1]");
        fixture.apply(cidr("half", "10.97.0.0/24", "fd00:2::/64"));
        assertThat(networks(fixture)).contains("10.97.0.0/24", "fd00:2::/64");
    }

    /** Earlier versions admitted it: it stays, so that nothing changes for what is in force. */
    @Test
    void aStoredOneThatGivesNoAddressStays() {
        LedgerFixture fixture = new LedgerFixture("fd00:1::/124");
        fixture.disk()
                .put(
                        key("huge"),
                        new Entry.CidrEntry(
                                key("huge"),
                                fixture.now(),
                                List.of(IpPrefix.parse("fd00:2::/48")),
                                Optional.empty(),
                                true));
        fixture.restart();
        fixture.apply(cidr("huge", "fd00:2::/48"));
        assertThat(fixture.ledger().refused()).isEmpty();
        assertThat(fixture.ledger().find(key("huge"))).isPresent();
        assertThat(networks(fixture)).containsExactly("fd00:1::/124");
    }

    /** What stands under the name of the default one, what the flags say, what stands there then. */
    @ParameterizedTest
    @CsvSource({
        "'', 10.96.0.0/16 fd00:96::/112, 10.96.0.0/16 fd00:96::/112, ''",
        "10.96.0.0/16 fd00:96::/112, 10.96.0.0/16 fd00:96::/112, 10.96.0.0/16 fd00:96::/112, ''",
        "10.96.0.0/16, 10.96.0.0/16 fd00:96::/112, 10.96.0.0/16 fd00:96::/112, ''",
        "fd00::/112, 10.96.0.0/16 fd00:96::/112, fd00::/112, KubernetesDefaultServiceCIDRInconsistent",
        "10.97.0.0/16, 10.96.0.0/16 fd00:96::/112, 10.97.0.0/16, KubernetesDefaultServiceCIDRInconsistent",
        "10.96.0.0/16 fd00:96::/112, 10.96.0.0/16, 10.96.0.0/16 fd00:96::/112, KubernetesDefaultServiceCIDRInconsistent",
    })
    void theDefaultOneIsMadeFromTheFlags(String stored, String flags, String then, String event) {
        LedgerFixture before = stored.isEmpty() ? null : new LedgerFixture(stored.replace(' ', ','));
        LedgerFixture fixture = new LedgerFixture(flags.replace(' ', ','));
        if (before != null) {
            fixture.disk().clear();
            fixture.disk().putAll(before.disk());
            fixture.restart();
        }
        assertThat(((Entry.CidrEntry) fixture.ledger().find(key("kubernetes")).orElseThrow()).cidrs())
                .containsExactlyElementsOf(
                        Arrays.stream(then.split(" ")).map(IpPrefix::parse).toList());
        assertThat(fixture.events())
                .isEqualTo(event.isEmpty() ? List.of() : List.of("ServiceCIDR kubernetes " + event));
    }

    @Test
    void renumbering() {
        LedgerFixture fixture = new LedgerFixture("10.96.0.0/28");
        fixture.apply(yaml("a"), yaml("b"));
        fixture.apply(cidr("new", "10.97.0.0/16"));
        fixture.deleteCidr("kubernetes");
        fixture.apply(yaml("c"));
        assertThat(fixture.ips("c").getFirst()).startsWith("10.97.");
        fixture.advance(LATER);
        assertThat(fixture.ledger().waiting())
                .extracting(LedgerView.Waiting::serviceCidr)
                .containsExactly("kubernetes");
        renew(fixture, "a");
        // Back with other flags, while an address still depends on the old network.
        LedgerFixture after = new LedgerFixture("10.98.0.0/28");
        after.disk().clear();
        after.disk().putAll(fixture.disk());
        after.restart();
        after.advance(LATER);
        assertThat(networks(after)).containsExactlyInAnyOrder("10.96.0.0/28", "10.97.0.0/16");
        assertThat(after.events()).isEmpty();
        renew(after, "b");
        after.advance(LATER);
        assertThat(networks(after)).containsExactlyInAnyOrder("10.97.0.0/16", "10.98.0.0/28");
    }

    private static void renew(LedgerFixture fixture, String name) {
        assertThat(fixture.ips(name).getFirst()).startsWith("10.96.0.");
        fixture.delete(name);
        fixture.apply(yaml(name));
        assertThat(fixture.ips(name).getFirst()).startsWith("10.97.");
    }

    @Test
    void aFileMayHaveTheDefaultOne() {
        LedgerFixture fixture = new LedgerFixture("10.96.0.0/28");
        fixture.apply(cidr("kubernetes", "10.96.0.0/28"));
        fixture.deleteCidr("kubernetes");
        fixture.advance(LATER);
        assertThat(fixture.ledger().waiting()).isEmpty();
        assertThat(networks(fixture)).containsExactly("10.96.0.0/28");
    }
}
