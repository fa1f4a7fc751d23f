package io.dualstackd.agent.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.api.EndpointSlice;
import io.dualstackd.agent.api.EndpointSlice.AddressType;
import io.dualstackd.netlink.ip.IpFamily;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class NewsTest {
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

    private static EndpointSlice slice(AddressType type, Instant trigger) {
        return new EndpointSlice(
                "ns", "web-1", Optional.of("web"), false, type, List.of(), List.of(), Optional.of(trigger));
    }

    @Test
    void aTriggerIsNewsOnce() {
        News news = new News();
        EndpointSlice first = slice(AddressType.IPV4, T0);
        news.ofSlice(first, Optional.empty());
        news.ofSlice(first, Optional.of(first));
        news.ofSliceGone(slice(AddressType.IPV6, T0));
        news.ofSlice(slice(AddressType.FQDN, T0), Optional.empty());
        news.ofService();
        ChangeMetadata taken = news.take();
        assertThat(taken)
                .isEqualTo(new ChangeMetadata(1, 2, 1, List.of(new ChangeMetadata.Trigger(IpFamily.IPV4, T0))));
        assertThat(taken.counts(IpFamily.IPV6)).isEqualTo(new ChangeMetadata.Counts(1, 1));
        assertThat(news.look()).isEqualTo(ChangeMetadata.NONE);
    }

    @Test
    void whatNobodyTakesIsCountedAndNoMore() {
        News news = new News();
        for (int i = 0; i < 5_000; i++) {
            news.ofSlice(slice(AddressType.IPV6, T0.plusMillis(i)), Optional.empty());
        }
        assertThat(news.look().ipv6Slices()).isEqualTo(5_000);
        assertThat(news.look().triggers()).hasSizeLessThan(5_000);
    }
}
