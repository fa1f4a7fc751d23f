package io.dualstackd.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.dualstackd.netlink.route.NextHopObject.Member;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bodies as kernels send them. */
class NextHopObjectTest {
    private static final String HEADER = "00000000 00000000";
    private static final String ID = "0800 0100 0b000000";
    /** Two members: with weight 1000, and with weight 3 and garbage behind it. */
    private static final String GROUP = "1400 0200 01000000 e7 03 0000 02000000 02 aa bbcc";

    private static NextHopObject read(String hex) throws DecodeException {
        return NextHopObject.read(Bytes.ofHex(hex.replace(" ", "")).reader("RTM_NEWNEXTHOP"));
    }

    @Test
    void weightHasTwoBytesWhereTheKernelSaysSo() throws Exception {
        assertThat(read(HEADER + ID + "1400 0200 01000000 e7 03 0000 02000000 02 00 0000" + "0800 0e00 00000080")
                        .group())
                .containsExactly(new Member(1, 1000), new Member(2, 3));
    }

    /** A routing daemon that weighs by bandwidth writes such groups. */
    @Test
    void aLargeWeightIsThatOfTheNextHop() throws Exception {
        NextHopObject member = read(HEADER + "0800 0100 01000000" + "0800 0500 07000000");
        assertThat(read(HEADER + ID + "0c00 0200 01000000 ff ff 0000" + "0800 0e00 00000080")
                        .hops(Map.of(1, member)))
                .extracting(NextHop::link, NextHop::weight)
                .containsExactly(tuple(7, 65_536));
    }

    /** Kernels before 6.12. */
    @Test
    void whatIsBehindAWeightIsNotReadOtherwise() throws Exception {
        assertThat(read(HEADER + ID + GROUP).group()).containsExactly(new Member(1, 232), new Member(2, 3));
    }
}
