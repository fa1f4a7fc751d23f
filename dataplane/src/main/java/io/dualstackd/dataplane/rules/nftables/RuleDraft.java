package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.dataplane.model.LocalDetector;
import io.dualstackd.dataplane.rules.nftables.KeyShape.Part;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.RuleBody;
import io.dualstackd.netlink.nft.RuleCompat;
import io.dualstackd.netlink.nft.data.CmpOp;
import io.dualstackd.netlink.nft.data.CtKey;
import io.dualstackd.netlink.nft.data.DynsetOp;
import io.dualstackd.netlink.nft.data.MetaKey;
import io.dualstackd.netlink.nft.data.PayloadBase;
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
import io.dualstackd.netlink.wire.NlWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds a rule, with methods named after the syntax of {@code nft}. Expressions and registers are the ones {@code nft} itself would
 * choose, so that it prints the rules as a person would have written them.
 */
final class RuleDraft {
    private static final int FULLY_RANDOM = 0x10;
    private static final int STATE_NEW = 0x8;
    private static final int STATE_INVALID = 0x1;
    private static final int STATUS_DNAT = 0x20;
    private static final int LOCAL = 2;
    private static final int PORT_UNREACHABLE_V4 = 3;
    private static final int PORT_UNREACHABLE_V6 = 4;
    private static final int INTERFACE_NAME = 16;
    private static final IpPrefix LOOPBACK_V4 = IpPrefix.parse("127.0.0.0/8");
    private static final IpPrefix LOOPBACK_V6 = IpPrefix.parse("::1/128");

    private final IpFamily family;
    private final List<NftExpr> expressions = new ArrayList<>();

    RuleDraft(IpFamily family) {
        this.family = family;
    }

    /** The register that begins with word {@code word}: the kernel uses the old numbers for every fourth one. */
    private static int register(int word) {
        return word % 4 == 0 ? 1 + word / 4 : 8 + word;
    }

    private int words(Part part) {
        return switch (part) {
            case SOURCE, DESTINATION -> family.bytes() / 4;
            case PROTOCOL, PORT, SLOT -> 1;
        };
    }

    /** Loads a key into the registers from the first on; a {@link Part#SLOT} is a random number below {@code modulus}. */
    private void load(KeyShape shape, int modulus) {
        int word = 0;
        for (Part part : shape.parts()) {
            int register = register(word);
            add(
                    switch (part) {
                        case SOURCE -> source(register, family.bytes());
                        case DESTINATION -> destination(register, family.bytes());
                        case PROTOCOL -> new Meta(MetaKey.L4PROTO, register);
                        case PORT -> new Payload(PayloadBase.TRANSPORT, 2, 2, register);
                        case SLOT -> new Numgen(true, modulus, 0, register);
                    });
            word += words(part);
        }
    }

    private Payload source(int register, int length) {
        return new Payload(PayloadBase.NETWORK, family == IpFamily.IPV4 ? 12 : 8, length, register);
    }

    private Payload destination(int register, int length) {
        return new Payload(PayloadBase.NETWORK, family == IpFamily.IPV4 ? 16 : 24, length, register);
    }

    private RuleDraft add(NftExpr expression) {
        expressions.add(expression);
        return this;
    }

    /** {@code ip daddr . … @set}. */
    RuleDraft in(KeyShape shape, String set) {
        load(shape, 0);
        return add(Lookup.in(set, 1));
    }

    RuleDraft in(FixedSet set) {
        return in(set.shape(), set.setName());
    }

    /** {@code ip daddr . … != @set}. */
    RuleDraft notIn(FixedSet set) {
        load(set.shape(), 0);
        return add(Lookup.notIn(set.setName(), 1));
    }

    /** {@code ip saddr @set}. */
    RuleDraft sourceIn(String set) {
        return add(source(1, family.bytes())).add(Lookup.in(set, 1));
    }

    /** {@code ct state new}. */
    RuleDraft newConnection() {
        return add(new Ct(CtKey.STATE, 1)).anyBit(STATE_NEW);
    }

    /** {@code ct state invalid}. */
    RuleDraft invalid() {
        return add(new Ct(CtKey.STATE, 1)).anyBit(STATE_INVALID);
    }

    /** {@code ct status dnat}. */
    RuleDraft translated() {
        return add(new Ct(CtKey.STATUS, 1)).anyBit(STATUS_DNAT);
    }

    /** {@code meta mark & mark != 0}. */
    RuleDraft marked(int mark) {
        return add(new Meta(MetaKey.MARK, 1)).anyBit(mark);
    }

    private RuleDraft anyBit(int bits) {
        return add(new Bitwise(1, 1, Bytes.u32(bits), Bytes.zeros(4))).add(new Cmp(CmpOp.NEQ, 1, Bytes.zeros(4)));
    }

    /** {@code meta l4proto tcp}. */
    RuleDraft protocol(Proto protocol) {
        return add(new Meta(MetaKey.L4PROTO, 1)).add(new Cmp(CmpOp.EQ, 1, Bytes.u8(protocol.number())));
    }

    /** {@code fib saddr type local}: an address of the node. */
    RuleDraft sourceLocal() {
        return local(Fib.SADDR);
    }

    /** {@code fib daddr type local}. */
    RuleDraft destinationLocal() {
        return local(Fib.DADDR);
    }

    private RuleDraft local(int which) {
        return add(new Fib(Fib.ADDRTYPE, which, 1)).add(new Cmp(CmpOp.EQ, 1, Bytes.u32(LOCAL)));
    }

    /** {@code ip daddr 10.96.0.0/12}. */
    RuleDraft destinationIn(IpPrefix network) {
        return network(destination(1, family.bytes()), CmpOp.EQ, network);
    }

    RuleDraft destinationNotLoopback() {
        return network(destination(1, family.bytes()), CmpOp.NEQ, family == IpFamily.IPV4 ? LOOPBACK_V4 : LOOPBACK_V6);
    }

    /**
     * Matches packets from a pod of this node, or others.
     *
     * @param pods not {@link LocalDetector.None}, which cannot be matched
     */
    RuleDraft from(LocalDetector pods, boolean wanted) {
        CmpOp op = wanted ? CmpOp.EQ : CmpOp.NEQ;
        return switch (pods) {
            case LocalDetector.None() -> throw new IllegalArgumentException("pods cannot be distinguished from others");
            case LocalDetector.SourceIn(IpPrefix network) -> network(source(1, family.bytes()), op, network);
            case LocalDetector.FromBridge(String name) ->
                add(new Meta(MetaKey.IIFNAME, 1))
                        .add(new Cmp(op, 1, Bytes.utf8(name).padTo(INTERFACE_NAME)));
            case LocalDetector.FromInterfacePrefix(String prefix) ->
                add(new Meta(MetaKey.IIFNAME, 1)).add(new Cmp(op, 1, Bytes.utf8(prefix)));
        };
    }

    /** Compares whole bytes where the network ends at one, else uses a mask: like {@code nft}, which prints both as a network. */
    private RuleDraft network(Payload address, CmpOp op, IpPrefix network) {
        Bytes wanted = Bytes.of(network.address());
        if (network.length() % 8 == 0 && network.length() > 0) {
            int bytes = network.length() / 8;
            return add(new Payload(address.base(), address.offset(), bytes, 1))
                    .add(new Cmp(op, 1, wanted.first(bytes)));
        }
        Bytes mask = Bytes.of(network.netmask());
        return add(address)
                .add(new Bitwise(1, 1, mask, Bytes.zeros(mask.length())))
                .add(new Cmp(op, 1, wanted));
    }

    /** {@code meta mark set meta mark | mark}; leaves the other bits unchanged. */
    RuleDraft mark(int mark) {
        return setMark(Bytes.u32(~mark), mark);
    }

    /** {@code meta mark set meta mark ^ mark}. */
    RuleDraft flip(int mark) {
        return setMark(Bytes.u32(-1), mark);
    }

    private RuleDraft setMark(Bytes kept, int xor) {
        return add(new Meta(MetaKey.MARK, 1))
                .add(new Bitwise(1, 1, kept, Bytes.u32(xor)))
                .add(new MetaSet(MetaKey.MARK, 1));
    }

    /** {@code numgen random mod n 0}; no condition for 1. */
    RuleDraft oneIn(int n) {
        return n == 1 ? this : add(new Numgen(true, n, 0, 1)).add(new Cmp(CmpOp.EQ, 1, Bytes.u32(0)));
    }

    /** {@code update @set { ip saddr timeout … }}: restarts the timeout of a client that is already in the set. */
    RuleBody remember(String set, int timeoutSeconds) {
        return add(source(1, family.bytes()))
                .add(new Dynset(DynsetOp.UPDATE, set, 0, 1, 0, timeoutSeconds * 1000L, false, List.of()))
                .end();
    }

    /** {@code counter}. */
    RuleDraft count() {
        return add(Counter.ZERO);
    }

    /** {@code dnat to 10.0.0.1:80}. */
    RuleBody translate(IpPort to) {
        int port = register(family.bytes() / 4);
        return add(new Immediate(1, Bytes.of(to.ip())))
                .add(new Immediate(port, Bytes.u16be(to.port())))
                .add(Nat.destination(family, 1, port))
                .end();
    }

    /** {@code dnat ip to ip daddr . … . numgen random mod count map @map}. */
    RuleBody translateByLot(KeyShape slot, int count, String map) {
        load(slot, count);
        return add(Lookup.map(map, 1, 1))
                .add(Nat.destination(family, 1, register(family.bytes() / 4)))
                .end();
    }

    /** {@code ip daddr . … vmap @map}. */
    RuleBody verdictOf(KeyShape shape, String map) {
        load(shape, 0);
        return add(Lookup.verdictMap(map, 1)).end();
    }

    /** {@code masquerade fully-random}. */
    RuleBody masquerade() {
        return add(new Masq(FULLY_RANDOM, 0, 0)).end();
    }

    /** {@code reject}: port unreachable. */
    RuleBody reject() {
        int code = family == IpFamily.IPV4 ? PORT_UNREACHABLE_V4 : PORT_UNREACHABLE_V6;
        return add(new Reject(Reject.ICMP_UNREACHABLE, code)).end();
    }

    RuleBody drop() {
        return verdict(new Verdict.Drop());
    }

    RuleBody jump(String chain) {
        return verdict(new Verdict.Jump(chain));
    }

    RuleBody goTo(String chain) {
        return verdict(new Verdict.Goto(chain));
    }

    private RuleBody verdict(Verdict verdict) {
        return add(new VerdictExpr(verdict)).end();
    }

    /** The rule as it is: a packet that matches goes on to the next rule. */
    RuleBody end() {
        return RuleBody.encode(new NlWriter(512), expressions, RuleCompat.NONE);
    }
}
