package io.dualstackd.netlink.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;

/** A socket filter (classic BPF, {@code linux/filter.h}) that selects netlink datagrams by the socket that caused them. */
final class PortFilter {
    /** Bytes of {@code struct sock_filter}. */
    static final int INSTRUCTION = 8;

    /** More do not fit into a jump, which has 8 bits; the caller has to check the rest itself. */
    private static final int MOST = 200;

    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int RETURN = 0x06;
    private static final int NLMSG_PID = 12;

    private PortFilter() {}

    /** Returns a program that drops datagrams beginning with a message of one of {@code portIds} and keeps all others. */
    static byte[] dropping(Collection<Integer> portIds) {
        int count = Math.min(portIds.size(), MOST);
        ByteBuffer program = ByteBuffer.allocate((count + 3) * INSTRUCTION).order(ByteOrder.nativeOrder());
        instruction(program, LOAD_WORD, 0, NLMSG_PID);
        int left = count;
        for (int portId : portIds) {
            if (left == 0) {
                break;
            }
            // To the last instruction, over the remaining comparisons and the keeping one.
            instruction(program, JUMP_IF_EQUAL, left, inNetworkOrder(portId));
            left--;
        }
        instruction(program, RETURN, 0, -1);
        instruction(program, RETURN, 0, 0);
        return program.array();
    }

    private static void instruction(ByteBuffer program, int code, int ifTrue, int value) {
        program.putShort((short) code).put((byte) ifTrue).put((byte) 0).putInt(value);
    }

    /** BPF loads words in network order; netlink headers are in host order. */
    private static int inNetworkOrder(int portId) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? portId : Integer.reverseBytes(portId);
    }
}
