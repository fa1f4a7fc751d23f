package io.dualstackd.netlink.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.generic.GenericFamily;
import io.dualstackd.netlink.sys.NetNs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On the real kernel: the controller is a family like others, and the one that is always there. */
@Tag("kernel")
final class GenericClientTest {
    @Test
    void findsFamiliesByName() throws Exception {
        try (GenericClient kernel = GenericClient.open(NetNs.current())) {
            assertThat(kernel.family("nlctrl")).contains(new GenericFamily("nlctrl", 16, 2));
            assertThat(kernel.families()).contains(new GenericFamily("nlctrl", 16, 2));
            for (GenericFamily family : kernel.families()) {
                assertThat(kernel.family(family.name())).contains(family);
            }
        }
    }

    @Test
    void unknownFamilyNameIsAbsent() throws Exception {
        try (GenericClient kernel = GenericClient.open(NetNs.current())) {
            assertThat(kernel.family("dualstackd-none")).isEmpty();
            assertThat(kernel.family("nlctrl")).isPresent();
        }
    }
}
