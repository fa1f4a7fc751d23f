package io.dualstackd.explain;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.nft.data.CmpOp;
import io.dualstackd.netlink.nft.data.CtKey;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.nft.data.PayloadBase;
import io.dualstackd.netlink.nft.expr.Bitwise;
import io.dualstackd.netlink.nft.expr.Cmp;
import io.dualstackd.netlink.nft.expr.Ct;
import io.dualstackd.netlink.nft.expr.Meta;
import io.dualstackd.netlink.nft.expr.Payload;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/** The registers of nf_tables while a rule is evaluated; each bit is known or unknown. */
final class Registers {
    private static final int SIZE = 80;
    /** Bytes of a header of IPv6 without extensions. */
    private static final int HEADER = 40;

    private static final int INTERFACE_NAME = 16;
    /** {@code NF_CT_STATE_INVALID_BIT}, which a packet has that connection tracking has not seen. */
    private static final int STATE_INVALID = 1;

    private static final int STATE_NEW = 1 << 3;
    private static final int STATE_UNTRACKED = 1 << 6;
    private static final int STATUS_DNAT = 0x20;
    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int ETHERTYPE_IPV6 = 0x86dd;

    private final byte[] value = new byte[SIZE];
    private final byte[] known = new byte[SIZE];

    /** A result that may be unknown. */
    enum Known {
        YES,
        NO,
        MAYBE;

        static Known of(boolean yes) {
            return yes ? YES : NO;
        }

        Known not() {
            return switch (this) {
                case YES -> NO;
                case NO -> YES;
                case MAYBE -> MAYBE;
            };
        }
    }

    /** The four registers of 16 bytes have numbers of their own, beside those of 4 bytes. */
    private static int offset(int register) {
        return Math.min(SIZE, Math.max(0, register < 8 ? (register - 1) * 16 : (register - 8) * 4));
    }

    void load(int register, Bytes content) {
        int at = offset(register);
        int whole = Math.min(SIZE - at, (content.length() + 3) & ~3);
        Arrays.fill(value, at, at + whole, (byte) 0);
        Arrays.fill(known, at, at + whole, (byte) 0xff);
        System.arraycopy(content.toArray(), 0, value, at, Math.min(whole, content.length()));
    }

    void clear(int register) {
        int at = offset(register);
        Arrays.fill(known, at, Math.min(SIZE, at + 16), (byte) 0);
    }

    void forgetAll() {
        Arrays.fill(known, (byte) 0);
    }

    void load(Meta meta, PassingPacket packet) {
        MetaKey key = meta.key();
        boolean ipv4 = packet.family() == IpFamily.IPV4;
        if (key.equals(MetaKey.IIFNAME)) {
            loadName(meta.register(), packet.in());
        } else if (key.equals(MetaKey.OIFNAME)) {
            loadName(meta.register(), packet.out());
        } else if (key.equals(MetaKey.NFPROTO)) {
            load(meta.register(), Bytes.u8(packet.family().number()));
        } else if (key.equals(MetaKey.L4PROTO)) {
            load(meta.register(), Bytes.u8(packet.protocol().number()));
        } else if (key.equals(MetaKey.PROTOCOL)) {
            load(meta.register(), Bytes.u16be(ipv4 ? ETHERTYPE_IPV4 : ETHERTYPE_IPV6));
        } else if (key.equals(MetaKey.MARK)) {
            load(meta.register(), Bytes.u32(packet.mark()));
            Bytes bits = Bytes.u32(packet.knownMark());
            System.arraycopy(bits.toArray(), 0, known, offset(meta.register()), bits.length());
        } else {
            clear(meta.register());
        }
    }

    private void loadName(int register, Optional<String> name) {
        if (name.isPresent()) {
            load(register, Bytes.utf8(name.get()).padTo(INTERFACE_NAME));
        } else {
            clear(register);
        }
    }

    /** A field may reach over several fields of the header: nft loads neighbours together. */
    void load(Payload field, PassingPacket packet) {
        byte[] header = new byte[HEADER];
        byte[] bits = new byte[HEADER];
        boolean ipv4 = packet.family() == IpFamily.IPV4;
        int source = ipv4 ? 12 : 8;
        if (field.base() == PayloadBase.NETWORK) {
            if (ipv4) {
                put(Bytes.u8(packet.protocol().number()), 9, header, bits);
            }
            packet.source().ifPresent(ip -> put(Bytes.of(ip), source, header, bits));
            put(Bytes.of(packet.destination()), source + packet.family().bytes(), header, bits);
        } else if (field.base() == PayloadBase.TRANSPORT) {
            put(Bytes.u16be(packet.port()), 2, header, bits);
        }
        clear(field.register());
        int end = field.offset() + field.length();
        if (field.offset() >= 0 && field.length() > 0 && end <= HEADER) {
            load(field.register(), Bytes.of(header, field.offset(), end));
            int at = offset(field.register());
            System.arraycopy(bits, field.offset(), known, at, Math.min(field.length(), SIZE - at));
        }
    }

    private static void put(Bytes content, int at, byte[] header, byte[] bits) {
        int end = content.copyTo(header, at);
        Arrays.fill(bits, at, end, (byte) 0xff);
    }

    /** Returns whether there is something to load: without a connection only the state can be, and a rule that loads more does not match. */
    Known load(Ct ct, PassingPacket packet) {
        Known loads = Known.YES;
        if (ct.key().equals(CtKey.STATE)) {
            switch (packet.tracking()) {
                case NOT_YET -> load(ct.register(), Bytes.u32(STATE_INVALID));
                case NEW -> load(ct.register(), Bytes.u32(STATE_NEW));
                case UNTRACKED -> load(ct.register(), Bytes.u32(STATE_UNTRACKED));
                case UNKNOWN -> clear(ct.register());
            }
            return Known.YES;
        }
        if (packet.tracking() != PassingPacket.Tracking.NEW) {
            loads = packet.tracking() == PassingPacket.Tracking.UNKNOWN ? Known.MAYBE : Known.NO;
        }
        if (ct.key().equals(CtKey.STATUS)) {
            load(ct.register(), Bytes.u32(packet.translated() ? STATUS_DNAT : 0));
        } else if (ct.key().equals(CtKey.DIRECTION)) {
            load(ct.register(), Bytes.u8(0));
        } else {
            clear(ct.register());
        }
        return loads;
    }

    void apply(Bitwise bits) {
        int from = offset(bits.from());
        int to = offset(bits.to());
        for (int i = 0; i < bits.mask().length() && from + i < SIZE && to + i < SIZE; i++) {
            int mask = bits.mask().at(i);
            value[to + i] = (byte) ((value[from + i] & mask) ^ bits.xor().at(i));
            // The bits that the mask clears are known.
            known[to + i] = (byte) (known[from + i] | ~mask);
        }
    }

    Known compare(Cmp cmp) {
        int at = offset(cmp.register());
        int length = Math.min(cmp.value().length(), SIZE - at);
        boolean all = true;
        int difference = 0;
        for (int i = 0; i < length; i++) {
            int mine = value[at + i] & 0xff;
            int operand = cmp.value().at(i) & 0xff;
            int bits = known[at + i] & 0xff;
            if (cmp.op() == CmpOp.EQ || cmp.op() == CmpOp.NEQ) {
                if (((mine ^ operand) & bits) != 0) {
                    return Known.of(cmp.op() == CmpOp.NEQ);
                }
            } else if (difference == 0) {
                difference = mine - operand;
            }
            all = all && bits == 0xff;
        }
        if (!all) {
            return Known.MAYBE;
        }
        return Known.of(
                switch (cmp.op()) {
                    case EQ -> true;
                    case NEQ -> false;
                    case LT -> difference < 0;
                    case LTE -> difference <= 0;
                    case GT -> difference > 0;
                    case GTE -> difference >= 0;
                });
    }

    /** The four bytes of a register as a number; those of its bits that are not known have any value. */
    int bits(int register) {
        return number(value, register);
    }

    /** Which bits of the four bytes of a register are known. */
    int knownBits(int register) {
        return number(known, register);
    }

    private static int number(byte[] bytes, int register) {
        int at = offset(register);
        return at + Integer.BYTES > SIZE
                ? 0
                : ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(at);
    }

    /** The bytes from a register on; empty when one of their bits is not known. */
    Optional<Bytes> get(int register, int length) {
        int at = offset(register);
        if (at + length > SIZE) {
            return Optional.empty();
        }
        for (int i = at; i < at + length; i++) {
            if (known[i] != (byte) 0xff) {
                return Optional.empty();
            }
        }
        return Optional.of(Bytes.of(value, at, at + length));
    }
}
