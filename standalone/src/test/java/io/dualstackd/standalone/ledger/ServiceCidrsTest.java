package io.dualstackd.standalone.ledger;

import static io.dualstackd.standalone.ledger.Room.cidr;
import static io.dualstackd.standalone.ledger.Room.yaml;
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

    private static List<String> networks(Room room) {
        return room.ledger().ranges().stream()
                .map(fill -> fill.network().toString())
                .toList();
    }

    private static Set<String> take(Room room, int from, int count) {
        Set<String> ips = new HashSet<>();
        for (int i = from; i < from + count; i++) {
            room.say(yaml("s" + i));
            ips.addAll(room.ips("s" + i));
        }
        return ips;
    }

    private static List<Rejection> refusals(Room room, String name) {
        return Optional.ofNullable(room.ledger().refused().get(key(name)))
                .map(EntryRefusal::rejections)
                .orElse(List.of());
    }

    @Test
    void addressesComeFromAllServiceCidrsTogether() {
        Room room = new Room("192.168.0.0/28");
        room.say(cidr("second", "10.0.0.0/28"));
        assertThat(take(room, 0, 28)).hasSize(28);
        room.say(yaml("s28"));
        assertThat(room.refusal("s28")).contains("no IPv4 address is free");
    }

    @Test
    void noAddressComesFromADeletedOne() {
        Room room = new Room("192.168.0.0/28");
        room.say(cidr("second", "10.0.0.0/28"));
        room.deleteCidr("second");
        assertThat(take(room, 0, 15)).hasSize(14).allMatch(ip -> ip.startsWith("192.168.0."));
        room.pass(LATER);
        assertThat(room.ledger().find(key("second"))).isEmpty();
        assertThat(networks(room)).containsExactly("192.168.0.0/28");
    }

    @Test
    void aDeletedOneStaysWhileAnAddressDependsOnIt() {
        Room room = new Room("192.168.0.0/28");
        room.say(cidr("second", "10.0.0.0/28"), yaml("web", "clusterIP: 10.0.0.5"));
        room.deleteCidr("second");
        room.pass(LATER);
        assertThat(room.ledger().waiting()).containsExactly(new LedgerView.Waiting("second", Optional.of("10.0.0.5")));
        assertThat(networks(room)).contains("10.0.0.0/28");
        room.say(yaml("other", "clusterIP: 10.0.0.6"));
        assertThat(room.refusal("other")).contains("is in no ServiceCIDR that is ready");
        room.restart();
        room.say(yaml("web", "clusterIP: 10.0.0.5"));
        assertThat(room.ips("web")).containsExactly("10.0.0.5");
        room.delete("web");
        assertThat(room.ledger().waiting()).isNotEmpty();
        room.pass(Duration.ZERO);
        assertThat(room.ledger().find(key("second"))).isEmpty();
    }

    @Test
    void itStaysTenSecondsAtLeast() {
        Room room = new Room("192.168.0.0/28");
        room.say(cidr("second", "10.0.0.0/28"));
        room.deleteCidr("second");
        room.pass(Duration.ofSeconds(9));
        assertThat(room.ledger().find(key("second"))).isPresent();
        room.pass(Duration.ofSeconds(1));
        assertThat(room.ledger().find(key("second"))).isEmpty();
    }

    /** KEP-1880 says a minute. */
    @Test
    void itStaysAsLongAsTheSettingSays() {
        Room room = new Room(new LedgerSettings(
                List.of(IpPrefix.parse("192.168.0.0/28")),
                30_000,
                30_099,
                Semantics.KUBERNETES,
                false,
                Duration.ofSeconds(60)));
        room.say(cidr("second", "10.0.0.0/28"));
        room.deleteCidr("second");
        room.pass(Duration.ofSeconds(59));
        assertThat(room.ledger().find(key("second"))).isPresent();
        room.pass(Duration.ofSeconds(1));
        assertThat(room.ledger().find(key("second"))).isEmpty();
    }

    @Test
    void saidAgainInTimeItStays() {
        Room room = new Room("192.168.0.0/28");
        room.say(cidr("second", "10.0.0.0/28"), yaml("web", "clusterIP: 10.0.0.5"));
        room.deleteCidr("second");
        room.pass(LATER);
        room.say(cidr("second", "10.0.0.0/28"), yaml("b", "clusterIP: 10.0.0.6"));
        assertThat(room.ips("b")).containsExactly("10.0.0.6");
        assertThat(room.ledger().waiting()).isEmpty();
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
        Room room = new Room("192.168.0.0/28");
        room.say(cidr("old", network), yaml("web", "clusterIP: 10.0.0.5"), cidr("new", other));
        room.deleteCidr("old");
        room.pass(LATER);
        assertThat(room.ledger().find(key("old")).isEmpty()).isEqualTo(goes);
    }

    @Test
    void bothFamiliesOfOneMustBeFree() {
        Room room = new Room("192.168.0.0/28,fd00:1::/112");
        room.say(cidr("second", "10.0.0.0/28", "fd00:2::/112"));
        room.say(yaml("web", "clusterIP: fd00:2::5"));
        room.say(cidr("third", "10.0.0.0/24"));
        room.deleteCidr("second");
        room.pass(LATER);
        assertThat(room.ledger().waiting()).containsExactly(new LedgerView.Waiting("second", Optional.of("fd00:2::5")));
        room.say(cidr("fourth", "fd00:2::/64"));
        room.pass(Duration.ZERO);
        assertThat(room.ledger().find(key("second"))).isEmpty();
    }

    @Test
    void aNetworkIsThereAsLongAsOneOfItsOwnersIs() {
        Room room = new Room("192.168.0.0/28");
        room.say(cidr("same", "192.168.0.0/28"));
        room.deleteCidr("same");
        assertThat(take(room, 0, 14)).hasSize(14);
        room.pass(LATER);
        assertThat(room.ledger().find(key("same"))).isEmpty();
        assertThat(networks(room)).containsExactly("192.168.0.0/28");
        assertThat(room.ledger().ranges()).allMatch(AddressPool.Fill::ready);
    }

    @Test
    void anAddressInTheShadowOfASmallerNetworkIsOfTheLargerOne() {
        Room room = new Room("192.168.1.0/24");
        for (String ip : List.of("192.168.1.0", "192.168.1.255")) {
            room.say(yaml("web", "clusterIP: " + ip));
            assertThat(room.refusal("web")).contains("is in no ServiceCIDR that is ready");
        }
        room.say(cidr("large", "192.168.0.0/16"));
        assertThat(room.ips("web")).containsExactly("192.168.1.255");
        room.say(yaml("b", "clusterIP: 192.168.1.0"));
        assertThat(room.ips("b")).containsExactly("192.168.1.0");
        for (String ip : List.of("192.168.0.0", "192.168.255.255")) {
            room.say(yaml("c", "clusterIP: " + ip));
            assertThat(room.refusal("c")).contains("is in no ServiceCIDR that is ready");
        }
    }

    @Test
    void aNetworkOfTheOtherFamilyMayBeAddedAndNothingElseChanged() {
        Room room = new Room(Room.DUAL);
        room.say(cidr("more", "10.97.0.0/24"));
        room.say(cidr("more", "10.97.0.0/24", "fd00:97::/112"));
        assertThat(networks(room)).contains("fd00:97::/112");
        room.say(cidr("more", "10.98.0.0/24"));
        assertThat(room.ledger().refused())
                .hasEntrySatisfying(
                        key("more"),
                        entryRefusal ->
                                assertThat(entryRefusal.rejections().toString()).contains("may not change once set"));
        assertThat(networks(room)).contains("10.97.0.0/24").doesNotContain("10.98.0.0/24");
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
        Room room = new Room("fd00:1::/124");
        room.say(cidr("useless", network));
        assertThat(networks(room)).containsExactly("fd00:1::/124");
        assertThat(room.ledger().find(key("useless"))).isEmpty();
        assertThat(refusals(room, "useless")).singleElement().asString().contains("spec.cidrs[0]", network, rule);
    }

    @Test
    void oneOfEachFamilyOfWhichOneGivesNothingIsRefusedWithThePlace() {
        Room room = new Room("fd00:1::/124");
        room.say(cidr("half", "10.97.0.0/24", "fd00:2::/48"));
        assertThat(refusals(room, "half").toString()).contains("spec.cidrs[1]");
        room.say(cidr("half", "10.97.0.0/24", "fd00:2::/64"));
        assertThat(networks(room)).contains("10.97.0.0/24", "fd00:2::/64");
    }

    /** Earlier versions admitted it: it stays, so that nothing changes for what is in force. */
    @Test
    void aStoredOneThatGivesNoAddressStays() {
        Room room = new Room("fd00:1::/124");
        room.disk()
                .put(
                        key("huge"),
                        new Entry.CidrEntry(
                                key("huge"),
                                room.now(),
                                List.of(IpPrefix.parse("fd00:2::/48")),
                                Optional.empty(),
                                true));
        room.restart();
        room.say(cidr("huge", "fd00:2::/48"));
        assertThat(room.ledger().refused()).isEmpty();
        assertThat(room.ledger().find(key("huge"))).isPresent();
        assertThat(networks(room)).containsExactly("fd00:1::/124");
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
        Room before = stored.isEmpty() ? null : new Room(stored.replace(' ', ','));
        Room room = new Room(flags.replace(' ', ','));
        if (before != null) {
            room.disk().clear();
            room.disk().putAll(before.disk());
            room.restart();
        }
        assertThat(((Entry.CidrEntry) room.ledger().find(key("kubernetes")).orElseThrow()).cidrs())
                .containsExactlyElementsOf(
                        Arrays.stream(then.split(" ")).map(IpPrefix::parse).toList());
        assertThat(room.events()).isEqualTo(event.isEmpty() ? List.of() : List.of("ServiceCIDR kubernetes " + event));
    }

    @Test
    void renumbering() {
        Room room = new Room("10.96.0.0/28");
        room.say(yaml("a"), yaml("b"));
        room.say(cidr("new", "10.97.0.0/16"));
        room.deleteCidr("kubernetes");
        room.say(yaml("c"));
        assertThat(room.ips("c").getFirst()).startsWith("10.97.");
        room.pass(LATER);
        assertThat(room.ledger().waiting())
                .extracting(LedgerView.Waiting::serviceCidr)
                .containsExactly("kubernetes");
        renew(room, "a");
        // Back with other flags, while an address still depends on the old network.
        Room after = new Room("10.98.0.0/28");
        after.disk().clear();
        after.disk().putAll(room.disk());
        after.restart();
        after.pass(LATER);
        assertThat(networks(after)).containsExactlyInAnyOrder("10.96.0.0/28", "10.97.0.0/16");
        assertThat(after.events()).isEmpty();
        renew(after, "b");
        after.pass(LATER);
        assertThat(networks(after)).containsExactlyInAnyOrder("10.97.0.0/16", "10.98.0.0/28");
    }

    private static void renew(Room room, String name) {
        assertThat(room.ips(name).getFirst()).startsWith("10.96.0.");
        room.delete(name);
        room.say(yaml(name));
        assertThat(room.ips(name).getFirst()).startsWith("10.97.");
    }

    @Test
    void aFileMayHaveTheDefaultOne() {
        Room room = new Room("10.96.0.0/28");
        room.say(cidr("kubernetes", "10.96.0.0/28"));
        room.deleteCidr("kubernetes");
        room.pass(LATER);
        assertThat(room.ledger().waiting()).isEmpty();
        assertThat(networks(room)).containsExactly("10.96.0.0/28");
    }
}
