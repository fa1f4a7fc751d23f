package io.dualstackd.dataplane.diff.elements;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.Keys;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.wire.Bytes;
import org.junit.jupiter.api.Test;

/** What is shown of elements whose counters are read while transactions replace and remove them. */
final class ElementCountersTest {
    private static final FixedSet SET = FixedSet.SERVICE_IPS;
    private static final Bytes KEY = Keys.serviceIp(Ip.parse("10.0.0.1"), Proto.TCP, 80);

    private final ElementCounters counters = new ElementCounters(IpFamily.IPV4);

    private void kernelHas(long packets) {
        ElementCounters.Reading reading = counters.begin();
        reading.add(SET, KEY.toArray(), packets, packets * 60);
        counters.end(reading);
    }

    private long startOfANewElement() {
        return counters.initial(SET, KEY.toArray(), KEY.length()).packets();
    }

    @Test
    void aReadingBetweenTheMakingOfATransactionAndItsEndMakesNothingSmaller() {
        kernelHas(10);
        long start = startOfANewElement();
        kernelHas(12);
        kernelHas(start);
        assertThat(counters.packets(SET, KEY)).isEqualTo(12);
        assertThat(counters.total(SET)).isEqualTo(12);
        kernelHas(start + 3);
        assertThat(counters.packets(SET, KEY)).isEqualTo(15);

        assertThat(startOfANewElement()).isEqualTo(15);
        kernelHas(15);
        assertThat(counters.packets(SET, KEY)).isEqualTo(15);
        assertThat(counters.total(SET)).isEqualTo(15);
    }

    @Test
    void isIdleUntilItHasRead() {
        assertThat(counters.packets(SET, KEY)).isZero();
        assertThat(counters.isIdle()).isTrue();
        kernelHas(1);
        assertThat(counters.isIdle()).isFalse();
    }

    @Test
    void deletedElementKeepsTheCountThatWasShown() {
        kernelHas(12);
        kernelHas(10);
        counters.end(counters.begin());
        assertThat(counters.packets(SET, KEY)).isEqualTo(12);
        assertThat(counters.total(SET)).isEqualTo(12);
        assertThat(startOfANewElement()).isEqualTo(12);
    }

    @Test
    void aDestinationThatIsGivenUpDuringAReadingIsInTheTotalOnce() {
        kernelHas(10);
        ElementCounters.Reading reading = counters.begin();
        reading.add(SET, KEY.toArray(), 10, 600);
        counters.retire(KEY);
        counters.taken();
        counters.end(reading);
        assertThat(counters.packets(SET, KEY)).isZero();
        assertThat(counters.total(SET)).isEqualTo(10);
    }

    @Test
    void whatTheKernelDidNotLetGoKeepsItsCount() {
        kernelHas(10);
        counters.begun();
        counters.retire(KEY);
        assertThat(startOfANewElement()).as("of another Service").isZero();
        counters.begun();
        assertThat(counters.packets(SET, KEY)).isEqualTo(10);
        kernelHas(12);
        assertThat(counters.total(SET)).isEqualTo(12);
        assertThat(startOfANewElement()).isEqualTo(12);
    }
}
