package io.dualstackd.admin.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.IpAddress;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.ledger.Entry;
import io.dualstackd.standalone.ledger.LedgerView;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LedgerObjectsTest {
    private static final LedgerView NOTHING = new LedgerView(List.of(), List.of(), List.of(), List.of());

    private static String cidr(String... cidrs) {
        Entry.CidrEntry entry = new Entry.CidrEntry(
                new ObjectKey(ObjectKey.Kind.SERVICE_CIDR, "", "more"),
                Instant.EPOCH,
                Arrays.stream(cidrs).map(IpPrefix::parse).toList(),
                Optional.empty(),
                true);
        return LedgerObjects.cidr(entry, NOTHING).toString();
    }

    @Test
    void aServiceCidrIsReadyWhenOneOfItsNetworksGivesAddresses() {
        assertThat(cidr("10.97.0.0/24")).contains("Kubernetes Service CIDR is ready");
        assertThat(cidr("10.97.0.0/24", "fd00:97::/48")).contains("Kubernetes Service CIDR is ready");
    }

    /** Earlier versions admitted such a ServiceCIDR. */
    @Test
    void aServiceCidrThatGivesNoAddressIsNotReady() {
        assertThat(cidr("fd00:97::/48"))
                .contains("NotAllocatable", "No address can be allocated from [fd00:97::/48]")
                .doesNotContain("is ready");
    }

    @Test
    void anAddressShowsTheUidOfItsOwnerIfOneWasWritten() {
        IpAddress.Parent parent = new IpAddress.Parent("", "services", "shop", "web", "0d9c");
        IpAddress.Parent without = IpAddress.Parent.service("shop", "web");
        assertThat(shown(parent)).contains("0d9c");
        assertThat(shown(without)).doesNotContain("uid");
    }

    private static String shown(IpAddress.Parent parent) {
        return LedgerObjects.address(
                        new Entry.AddressEntry(Instant.EPOCH, new IpAddress(Ip.parse("10.96.0.7"), parent, false)))
                .toString();
    }
}
