package io.dualstackd.netlink.io;

import io.dualstackd.netlink.route.Route;
import io.dualstackd.netlink.route.RouteMessages;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Separates default routes of the main table from all others without creating an object for any: a router may have a hundred thousand
 * routes, and change them every second.
 */
final class DefaultRouteFilter {
    private static final int LOAD_BYTE = 0x30;
    private static final int LOAD_HALF = 0x28;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int RETURN = 0x06;

    private static final int NLMSG_TYPE = 4;
    private static final int NLMSG_FLAGS = 6;
    // After the message header: struct rtmsg of linux/rtnetlink.h.
    private static final int RTM_DST_LEN = 17;
    private static final int RTM_TABLE = 20;

    private DefaultRouteFilter() {}

    /** Keeps messages that are not routes, default routes of the main table, and messages with a flag that concerns the whole list. */
    static boolean keeps(ByteBuffer datagram, int offset, int length) {
        int type = datagram.getShort(offset + NLMSG_TYPE) & 0xffff;
        if ((type != RouteMessages.NEWROUTE && type != RouteMessages.DELROUTE) || length <= RTM_TABLE) {
            return true;
        }
        return (datagram.getShort(offset + NLMSG_FLAGS) & NlFlags.DUMP_INTERRUPTED) != 0
                || (datagram.get(offset + RTM_DST_LEN) == 0 && (datagram.get(offset + RTM_TABLE) & 0xff) == Route.MAIN);
    }

    /**
     * Returns the same filter as a socket filter (classic BPF, {@code linux/filter.h}) for notifications, each of which the kernel sends in
     * a datagram of its own: a dropped one takes no space in the receive buffer and wakes no thread.
     */
    static byte[] program() {
        ByteBuffer program = ByteBuffer.allocate(10 * PortFilter.INSTRUCTION).order(ByteOrder.nativeOrder());
        instruction(program, LOAD_HALF, 0, 0, NLMSG_TYPE);
        instruction(program, JUMP_IF_EQUAL, 2, 0, inNetworkOrder(RouteMessages.NEWROUTE));
        instruction(program, JUMP_IF_EQUAL, 1, 0, inNetworkOrder(RouteMessages.DELROUTE));
        instruction(program, RETURN, 0, 0, -1);
        instruction(program, LOAD_BYTE, 0, 0, RTM_DST_LEN);
        instruction(program, JUMP_IF_EQUAL, 0, 2, 0);
        instruction(program, LOAD_BYTE, 0, 0, RTM_TABLE);
        instruction(program, JUMP_IF_EQUAL, 1, 0, Route.MAIN);
        instruction(program, RETURN, 0, 0, 0);
        instruction(program, RETURN, 0, 0, -1);
        return program.array();
    }

    private static void instruction(ByteBuffer program, int code, int ifTrue, int ifFalse, int value) {
        program.putShort((short) code).put((byte) ifTrue).put((byte) ifFalse).putInt(value);
    }

    /** BPF loads half-words in network order; netlink headers are in host order. */
    private static int inNetworkOrder(int type) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
                ? type
                : Short.toUnsignedInt(Short.reverseBytes((short) type));
    }
}
