package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import java.util.Optional;

/**
 * A chain: a list of rules.
 *
 * @param hook where packets enter; empty for a chain that is only jumped to
 * @param flags {@code enum nft_chain_flags}
 * @param handle given by the kernel, 0 when not known
 * @param use rules in it and jumps to it, as read
 * @param userData see {@link UserData}
 */
public record NftChain(ChainName name, Optional<NftHook> hook, int flags, long handle, int use, Bytes userData) {
    private static final Attr.Text CHAIN_TABLE = new Attr.Text(1, "NFTA_CHAIN_TABLE");
    private static final Attr.U64be HANDLE = new Attr.U64be(2, "NFTA_CHAIN_HANDLE");
    private static final Attr.Text NAME = new Attr.Text(3, "NFTA_CHAIN_NAME");
    private static final Attr.Nest HOOK = new Attr.Nest(4, "NFTA_CHAIN_HOOK", NftHook.TABLE);
    private static final Attr.U32be POLICY = new Attr.U32be(5, "NFTA_CHAIN_POLICY");
    private static final Attr.U32be USE = new Attr.U32be(6, "NFTA_CHAIN_USE");
    private static final Attr.Text TYPE = new Attr.Text(7, "NFTA_CHAIN_TYPE");
    private static final Attr.U32be FLAGS = new Attr.U32be(10, "NFTA_CHAIN_FLAGS");
    private static final Attr.Payload USERDATA = new Attr.Payload(12, "NFTA_CHAIN_USERDATA");
    private static final AttrTable TABLE =
            AttrTable.of("NFTA_CHAIN", CHAIN_TABLE, HANDLE, NAME, HOOK, POLICY, USE, TYPE, FLAGS, USERDATA);

    /** {@code NFT_CHAIN_BASE}, which the kernel sets itself. */
    private static final int BASE = 1;

    /** A chain that is only jumped to. */
    public static NftChain of(ChainName name) {
        return new NftChain(name, Optional.empty(), 0, 0, 0, Bytes.EMPTY);
    }

    /** A base chain. */
    public static NftChain of(ChainName name, NftHook hook) {
        return new NftChain(name, Optional.of(hook), 0, 0, 0, Bytes.EMPTY);
    }

    public static NftChain read(NlMessage message) throws DecodeException {
        NlReader body = message.body("NFT_MSG_NEWCHAIN");
        NfHeader header = NfHeader.read(body);
        Attrs attrs = body.attrs(TABLE);
        Optional<NftHook> hook = attrs.has(HOOK)
                ? Optional.of(NftHook.read(attrs.get(HOOK), attrs.get(TYPE, ""), attrs.get(POLICY, NftHook.ACCEPT)))
                : Optional.empty();
        return new NftChain(
                new TableName(header.family(), attrs.get(CHAIN_TABLE)).chain(attrs.get(NAME)),
                hook,
                attrs.get(FLAGS, 0) & ~BASE,
                attrs.get(HANDLE, 0),
                attrs.get(USE, 0),
                attrs.get(USERDATA, Bytes.EMPTY));
    }

    void writeTo(NlWriter writer) {
        writeName(writer, name);
        if (hook.isPresent()) {
            hook.get().writeTo(writer, HOOK);
            writer.put(POLICY, hook.get().policy());
            writer.put(TYPE, hook.get().type());
        }
        if (flags != 0) {
            writer.put(FLAGS, flags);
        }
        if (userData.length() > 0) {
            writer.put(USERDATA, userData);
        }
    }

    static void writeName(NlWriter writer, ChainName name) {
        NfHeader.write(writer, name.table().family());
        writer.put(CHAIN_TABLE, name.table().name());
        writer.put(NAME, name.name());
    }

    public NftChain withComment(String comment) {
        return new NftChain(name, hook, flags, handle, use, UserData.comment(comment));
    }

    @Override
    public String toString() {
        return "chain " + name + hook.map(h -> " { " + h + " }").orElse("");
    }
}
