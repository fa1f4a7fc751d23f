package io.dualstackd.netlink.route;

import io.dualstackd.netlink.wire.RawAttr;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A network device ({@code struct ifinfomsg} and {@code IFLA_*} of {@code linux/if_link.h}).
 *
 * @param index its number in its namespace, from 1; 0 lets the kernel choose
 * @param name at most 15 bytes
 * @param type {@code ARPHRD_*} of {@code linux/if_arp.h}: 1 Ethernet, 772 loopback
 * @param flags {@code IFF_*} of {@code linux/if.h}
 * @param mtu bytes of the largest packet
 * @param master index of the bridge or bond this is a port of
 * @param lower {@code IFLA_LINK}: index of the device below, or of a veth's other end (which may be in another namespace)
 * @param others attributes this record has no field for, as the kernel sent them
 */
public record Link(
        int index,
        String name,
        int type,
        int flags,
        Optional<OperState> state,
        OptionalInt mtu,
        OptionalInt master,
        OptionalInt lower,
        Optional<MacAddress> mac,
        LinkKind kind,
        List<RawAttr> others) {
    /** {@code IFF_UP}: administratively up. */
    public static final int UP = 0x1;
    /** {@code IFF_LOOPBACK}. */
    public static final int LOOPBACK = 0x8;
    /** {@code IFF_POINTOPOINT}: exactly one other end, without link-layer addresses. */
    public static final int POINT_TO_POINT = 0x10;
    /** {@code IFF_RUNNING}: operational; not without a carrier. */
    public static final int RUNNING = 0x40;
    /** {@code IFF_LOWER_UP}: the carrier is present. */
    public static final int LOWER_UP = 0x10000;

    public Link {
        others = List.copyOf(others);
    }

    /** Returns a link to be added; the kernel chooses everything else. */
    public static Link of(String name, LinkKind kind) {
        return new Link(
                0,
                name,
                0,
                0,
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                kind,
                List.of());
    }

    public boolean isUp() {
        return (flags & UP) != 0;
    }

    public boolean isLoopback() {
        return (flags & LOOPBACK) != 0;
    }

    public boolean isPointToPoint() {
        return (flags & POINT_TO_POINT) != 0;
    }

    /** {@code 3: br0 bridge flags 0x1003 state up mtu 1500 mac 02:00:00:00:00:01}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder()
                .append(index)
                .append(": ")
                .append(name)
                .append(' ')
                .append(kind)
                .append(" flags 0x")
                .append(Integer.toHexString(flags));
        state.ifPresent(value -> text.append(" state ").append(value));
        mtu.ifPresent(value -> text.append(" mtu ").append(value));
        master.ifPresent(value -> text.append(" master ").append(value));
        lower.ifPresent(value -> text.append(" lower ").append(value));
        mac.ifPresent(value -> text.append(" mac ").append(value));
        return text.toString();
    }
}
