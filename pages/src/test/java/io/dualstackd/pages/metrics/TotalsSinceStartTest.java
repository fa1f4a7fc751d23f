package io.dualstackd.pages.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.netlink.ip.IpFamily;
import org.junit.jupiter.api.Test;

final class TotalsSinceStartTest {
    private final TotalsSinceStart totals = new TotalsSinceStart();

    /** What former processes had counted is in no series of this one. */
    @Test
    void theyBeginAtZeroAndFollowTheKernel() {
        assertThat(totals.after(IpFamily.IPV4, new Attempts(5000, 7, 3))).isEqualTo(Attempts.NONE);
        assertThat(totals.after(IpFamily.IPV4, new Attempts(5010, 7, 4))).isEqualTo(new Attempts(10, 0, 1));
        assertThat(totals.after(IpFamily.IPV6, new Attempts(9, 9, 9))).isEqualTo(Attempts.NONE);
        assertThat(totals.after(IpFamily.IPV4, new Attempts(5012, 8, 4))).isEqualTo(new Attempts(12, 1, 1));
    }

    /** Another program may set the kernel's counters back. */
    @Test
    void theyDoNotFall() {
        totals.after(IpFamily.IPV4, new Attempts(100, 10, 0));
        totals.after(IpFamily.IPV4, new Attempts(130, 10, 0));
        assertThat(totals.after(IpFamily.IPV4, new Attempts(2, 10, 0))).isEqualTo(new Attempts(30, 0, 0));
        assertThat(totals.after(IpFamily.IPV4, new Attempts(5, 10, 0))).isEqualTo(new Attempts(33, 0, 0));
    }
}
