package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.rules.iptables.Trail;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.data.CmpOp;
import io.dualstackd.netlink.nft.data.CtKey;
import io.dualstackd.netlink.nft.data.Verdict;
import io.dualstackd.netlink.nft.expr.Bitwise;
import io.dualstackd.netlink.nft.expr.Cmp;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.nft.expr.Ct;
import io.dualstackd.netlink.nft.expr.Dynset;
import io.dualstackd.netlink.nft.expr.Fib;
import io.dualstackd.netlink.nft.expr.Immediate;
import io.dualstackd.netlink.nft.expr.Lookup;
import io.dualstackd.netlink.nft.expr.Masq;
import io.dualstackd.netlink.nft.expr.Meta;
import io.dualstackd.netlink.nft.expr.MetaSet;
import io.dualstackd.netlink.nft.expr.Nat;
import io.dualstackd.netlink.nft.expr.NftExpr;
import io.dualstackd.netlink.nft.expr.Numgen;
import io.dualstackd.netlink.nft.expr.Payload;
import io.dualstackd.netlink.nft.expr.Reject;
import io.dualstackd.netlink.nft.expr.VerdictExpr;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Runs the expressions of one rule for one packet, with registers like the kernel's; a random number is run with each value. */
final class RuleRun {
    private static final int REGISTERS = 80;
    private static final int STATE_NEW = 8;
    private static final int STATUS_DNAT = 0x20;
    private static final int UNICAST = 1;
    private static final int LOCAL = 2;

    /** The decision of a rule: a verdict of the kernel, or a rejection. */
    sealed interface Decision {
        record Nothing() implements Decision {}

        record Takes(Verdict verdict) implements Decision {}

        record Refuses() implements Decision {}
    }

    /** The packet after the rule, and the decision. */
    record Step(WalkingPacket packet, Decision decision) {}

    private final WalkedTable table;
    private final Predicate<Ip> local;
    private final List<NftExpr> rule;
    private final List<Step> steps = new ArrayList<>();

    private final BiFunction<String, NftElement, Optional<Trail.Step>> found;

    private RuleRun(
            WalkedTable table,
            Predicate<Ip> local,
            List<NftExpr> rule,
            BiFunction<String, NftElement, Optional<Trail.Step>> found) {
        this.found = found;
        this.table = table;
        this.local = local;
        this.rule = rule;
    }

    /** @param listener receives each set of the rule with the element that was found in it, and returns the step for the trail */
    static List<Step> of(
            WalkedTable table,
            Predicate<Ip> local,
            List<NftExpr> rule,
            WalkingPacket packet,
            BiFunction<String, NftElement, Optional<Trail.Step>> listener) {
        RuleRun run = new RuleRun(table, local, rule, listener);
        run.from(0, packet, new byte[REGISTERS]);
        return run.steps;
    }

    private void from(int index, WalkingPacket packet, byte[] registers) {
        if (index == rule.size()) {
            end(packet);
            return;
        }
        int next = index + 1;
        switch (rule.get(index)) {
            case Payload field -> load(next, packet, registers, field.register(), packet.load(field));
            case Meta meta -> load(next, packet, registers, meta.register(), packet.load(meta.key()));
            case Immediate(int register, Bytes value) -> load(next, packet, registers, register, value);
            case Ct ct -> load(next, packet, registers, ct.register(), connection(ct.key(), packet));
            case Fib fib -> load(next, packet, registers, fib.register(), Bytes.u32(type(fib, packet)));
            case Numgen draw -> {
                for (int i = 0; i < draw.modulus(); i++) {
                    Bytes drawn = Bytes.u32(i + draw.offset());
                    load(next, packet.oneOf(draw.modulus()), registers.clone(), draw.register(), drawn);
                }
            }
            case Bitwise bits -> {
                Bytes value = get(registers, bits.from(), bits.mask().length());
                byte[] result = value.toArray();
                for (int i = 0; i < result.length; i++) {
                    result[i] =
                            (byte) ((result[i] & bits.mask().at(i)) ^ bits.xor().at(i));
                }
                load(next, packet, registers, bits.to(), Bytes.of(result));
            }
            case Cmp cmp -> {
                boolean equal =
                        get(registers, cmp.register(), cmp.value().length()).equals(cmp.value());
                if (equal == wantsEqual(cmp.op())) {
                    from(next, packet, registers);
                } else {
                    end(packet);
                }
            }
            case Counter ignored -> from(next, packet, registers);
            case Lookup lookup -> lookup(next, packet, registers, lookup);
            case MetaSet set -> from(next, packet.marked(number(get(registers, set.register(), 4))), registers);
            case Dynset set -> from(next, packet.rememberedIn(set.set()), registers);
            case Nat nat -> {
                int length = packet.source().family().bytes();
                Ip ip = Ip.ofBytes(get(registers, nat.addressMin(), length).toArray());
                Bytes port = get(registers, nat.portMin(), 2);
                end(packet.sentTo(new IpPort(ip, (port.at(0) << 8) | port.at(1))), new Verdict.Accept());
            }
            case Masq ignored -> end(packet.masquerade(), new Verdict.Accept());
            case Reject ignored -> steps.add(new Step(packet, new Decision.Refuses()));
            case VerdictExpr(Verdict verdict) -> end(packet, verdict);
            case NftExpr other -> throw new IllegalStateException("no rule of ours holds " + other);
        }
    }

    private void lookup(int next, WalkingPacket before, byte[] registers, Lookup lookup) {
        Optional<NftElement> element = table.find(lookup.set(), get(registers, lookup.key(), REGISTERS));
        WalkingPacket packet = before.met(element.flatMap(one -> found.apply(lookup.set(), one)));
        if (element.isPresent() == lookup.inverted()) {
            end(packet);
        } else if (element.isEmpty() || lookup.data() == Lookup.NO_DATA) {
            from(next, packet, registers);
        } else {
            switch (element.get().data()) {
                case MapData.Nothing() -> from(next, packet, registers);
                case MapData.Value(Bytes value) -> load(next, packet, registers, lookup.data(), value);
                case MapData.Does(Verdict verdict) -> end(packet, verdict);
            }
        }
    }

    private void load(int next, WalkingPacket packet, byte[] registers, int register, Bytes value) {
        int at = offset(register);
        int whole = (value.length() + 3) & ~3;
        Arrays.fill(registers, at, at + whole, (byte) 0);
        System.arraycopy(value.toArray(), 0, registers, at, value.length());
        from(next, packet, registers);
    }

    private void end(WalkingPacket packet) {
        steps.add(new Step(packet, new Decision.Nothing()));
    }

    private void end(WalkingPacket packet, Verdict verdict) {
        steps.add(new Step(packet, new Decision.Takes(verdict)));
    }

    private static Bytes connection(CtKey key, WalkingPacket packet) {
        if (key.equals(CtKey.STATE)) {
            return Bytes.u32(STATE_NEW);
        }
        if (key.equals(CtKey.STATUS)) {
            return Bytes.u32(packet.translated().isPresent() ? STATUS_DNAT : 0);
        }
        throw new IllegalStateException("no rule of ours asks for ct " + key);
    }

    private int type(Fib fib, WalkingPacket packet) {
        Ip ip = (fib.flags() & Fib.SADDR) != 0 ? packet.source() : packet.to().ip();
        return local.test(ip) ? LOCAL : UNICAST;
    }

    private static boolean wantsEqual(CmpOp op) {
        return switch (op) {
            case EQ -> true;
            case NEQ -> false;
            case LT, LTE, GT, GTE -> throw new IllegalStateException("no rule of ours compares by " + op);
        };
    }

    /** The four registers of 16 bytes have numbers of their own, beside those of 4 bytes. */
    private static int offset(int register) {
        return register < 8 ? (register - 1) * 16 : (register - 8) * 4;
    }

    private static Bytes get(byte[] registers, int register, int length) {
        int at = offset(register);
        return Bytes.of(registers, at, Math.min(at + length, registers.length));
    }

    private static int number(Bytes value) {
        return ByteBuffer.wrap(value.toArray()).order(ByteOrder.nativeOrder()).getInt();
    }
}
