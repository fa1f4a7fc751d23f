package io.dualstackd.netlink.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Sizes and flags of {@code struct nlmsghdr} and {@code struct nlattr} ({@code linux/netlink.h}), and the host's byte order. */
final class Nla {
    static final int MESSAGE_HEADER = 16;
    static final int HEADER = 4;
    static final int NESTED = 0x8000;
    static final int TYPE_MASK = 0x3fff;
    static final int MAX_LENGTH = 0xffff;

    static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    static final VarHandle LONG_LE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle SHORT_BE = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle INT_BE = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle LONG_BE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Nla() {}

    /** {@code NLA_ALIGN}: up to the next multiple of four. */
    static int align(int length) {
        return (length + 3) & ~3;
    }
}
