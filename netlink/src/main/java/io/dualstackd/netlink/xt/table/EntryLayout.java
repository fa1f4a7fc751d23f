package io.dualstackd.netlink.xt.table;

import io.dualstackd.netlink.ip.IpFamily;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Offsets in {@code struct ipt_entry} and {@code struct ip6t_entry}, and in what follows; on 64-bit machines. */
enum EntryLayout {
    IPV4(4, 84, 96),
    IPV6(16, 136, 152);

    static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** {@code struct xt_entry_match} and {@code xt_entry_target} before their data: u16 size, name, u8 revision. */
    static final int EXTENSION_HEADER = 32;

    static final int NAME_AT = 2;
    static final int NAME_SIZE = 29;
    static final int REVISION_AT = 31;
    /** {@code struct xt_standard_target}: the header and an int, aligned. */
    static final int STANDARD_SIZE = 40;
    /** {@code struct xt_error_target}: the header and a name, aligned. */
    static final int ERROR_SIZE = 64;

    static final int ERROR_NAME_SIZE = 30;
    static final String ERROR = "ERROR";
    /** {@code IFNAMSIZ}. */
    static final int INTERFACE = 16;

    private static final int COUNTERS = 16;

    private final int address;
    private final int nfcache;
    private final int counters;

    EntryLayout(int address, int nfcache, int counters) {
        this.address = address;
        this.nfcache = nfcache;
        this.counters = counters;
    }

    static EntryLayout of(IpFamily family) {
        return switch (family) {
            case IPV4 -> IPV4;
            case IPV6 -> IPV6;
        };
    }

    /** Bytes of an address, and of a mask. */
    int address() {
        return address;
    }

    /** Offset of the masks of addresses: after source and destination. */
    int masks() {
        return 2 * address;
    }

    /** Offset of the interface names; their masks follow. */
    int interfaces() {
        return 4 * address;
    }

    int protocol() {
        return interfaces() + 4 * INTERFACE;
    }

    int flags() {
        return this == IPV4 ? protocol() + 2 : protocol() + 3;
    }

    int inverse() {
        return flags() + 1;
    }

    /** Offset of an unused word. */
    int nfcache() {
        return nfcache;
    }

    int targetOffset() {
        return nfcache + 4;
    }

    int nextOffset() {
        return nfcache + 6;
    }

    /** Offset of a word that is private to the kernel. */
    int comefrom() {
        return nfcache + 8;
    }

    /** Offset of packets and bytes. */
    int counters() {
        return counters;
    }

    /** {@code sizeof} the structure: the offset of the matches. */
    int header() {
        return counters + COUNTERS;
    }

    static int u16(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at) & 0xffff;
    }

    static int s32(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static long u64(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }
}
