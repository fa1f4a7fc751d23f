package io.dualstackd.kubeapi.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.EndpointSlice.AddressType;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ChangeCounterTest {
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

    private static EndpointSlice slice(AddressType type, Instant trigger) {
        return new EndpointSlice(
                "ns", "web-1", Optional.of("web"), false, type, List.of(), List.of(), Optional.of(trigger));
    }

    @Test
    void triggerTimeIsReportedOnce() {
        ChangeCounter changeCounter = new ChangeCounter();
        EndpointSlice first = slice(AddressType.IPV4, T0);
        changeCounter.ofSlice(first, Optional.empty());
        changeCounter.ofSlice(first, Optional.of(first));
        changeCounter.ofSliceGone(slice(AddressType.IPV6, T0));
        changeCounter.ofSlice(slice(AddressType.FQDN, T0), Optional.empty());
        changeCounter.ofService();
        ChangeMetadata taken = changeCounter.take();
        assertThat(taken)
                .isEqualTo(new ChangeMetadata(1, 2, 1, List.of(new ChangeMetadata.Trigger(IpFamily.IPV4, T0))));
        assertThat(taken.counts(IpFamily.IPV6)).isEqualTo(new ChangeMetadata.Counts(1, 1));
        assertThat(changeCounter.peek()).isEqualTo(ChangeMetadata.NONE);
    }

    @Test
    void untakenChangesAreCountedOnly() {
        ChangeCounter changeCounter = new ChangeCounter();
        for (int i = 0; i < 5_000; i++) {
            changeCounter.ofSlice(slice(AddressType.IPV6, T0.plusMillis(i)), Optional.empty());
        }
        assertThat(changeCounter.peek().ipv6Slices()).isEqualTo(5_000);
        assertThat(changeCounter.peek().triggers()).hasSizeLessThan(5_000);
    }
}
