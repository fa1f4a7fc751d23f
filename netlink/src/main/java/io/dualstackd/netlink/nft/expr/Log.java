package io.dualstackd.netlink.nft.expr;

import io.dualstackd.netlink.wire.Attr;
import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Attrs;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line to the kernel log.
 *
 * @param prefix up to 127 bytes, may be empty
 * @param level {@code enum nft_log_level}: 0 emerg … 4 warning … 7 debug
 * @param flags {@code NF_LOG_*} of {@code linux/netfilter/nf_log.h}
 */
public record Log(String prefix, int level, int flags) implements NftExpr {
    static final String NAME = "log";
    private static final String[] FLAG_NAMES = {"tcpseq", "tcpopt", "ipopt", "uid", "nflog", "macdecode"};
    private static final Attr.U16be GROUP = new Attr.U16be(1, "NFTA_LOG_GROUP");
    private static final Attr.Text PREFIX = new Attr.Text(2, "NFTA_LOG_PREFIX");
    private static final Attr.U32be SNAPLEN = new Attr.U32be(3, "NFTA_LOG_SNAPLEN");
    private static final Attr.U16be QTHRESHOLD = new Attr.U16be(4, "NFTA_LOG_QTHRESHOLD");
    private static final Attr.U32be LEVEL = new Attr.U32be(5, "NFTA_LOG_LEVEL");
    private static final Attr.U32be FLAGS = new Attr.U32be(6, "NFTA_LOG_FLAGS");
    static final AttrTable TABLE = AttrTable.of("NFTA_LOG", GROUP, PREFIX, SNAPLEN, QTHRESHOLD, LEVEL, FLAGS);

    static @Nullable NftExpr read(Attrs data) throws DecodeException {
        return data.has(GROUP) || data.has(SNAPLEN) || data.has(QTHRESHOLD) || !data.has(LEVEL)
                ? null
                : new Log(data.get(PREFIX, ""), data.get(LEVEL), data.get(FLAGS, 0));
    }

    @Override
    public void writeData(NlWriter writer) {
        if (!prefix.isEmpty()) {
            writer.put(PREFIX, prefix);
        }
        writer.put(LEVEL, level);
        if (flags != 0) {
            writer.put(FLAGS, flags);
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[ log");
        text.append(prefix.isEmpty() ? "" : " prefix " + prefix)
                .append(" level ")
                .append(level);
        for (int i = 0; i < FLAG_NAMES.length; i++) {
            text.append((flags & 1 << i) == 0 ? "" : " " + FLAG_NAMES[i]);
        }
        return text.append(" ]").toString();
    }
}
