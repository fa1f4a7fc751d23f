package io.dualstackd.netlink.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CapabilitiesTest {
    @Test
    void readsTheEffectiveSet() throws IOException {
        Capabilities some = Capabilities.parse("Name:\tjava\nCapPrm:\t000001ffffffffff\nCapEff:\t0000000000001000\n");
        assertThat(some.has(Capabilities.NET_ADMIN)).isTrue();
        assertThat(some.has(Capabilities.SYS_ADMIN)).isFalse();
    }

    @Test
    void understandsAllBits() throws IOException {
        assertThat(Capabilities.parse("CapEff:\tffffffffffffffff").has(Capabilities.SYS_ADMIN))
                .isTrue();
    }

    @Test
    void refusesOtherText() {
        assertThatIOException().isThrownBy(() -> Capabilities.parse("")).withMessageContaining("CapEff");
        assertThatIOException().isThrownBy(() -> Capabilities.parse("CapEff:\tsoon"));
    }

    /** Which is root's. */
    @Test
    @Tag("kernel")
    void readsThisThread() throws IOException {
        assertThat(Capabilities.current().has(Capabilities.NET_ADMIN)).isTrue();
    }
}
