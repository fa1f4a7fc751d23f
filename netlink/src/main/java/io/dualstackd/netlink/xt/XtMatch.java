package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/** The structure of one xtables match. {@code toString} is what {@code iptables-save} prints for it. */
public sealed interface XtMatch
        permits XtAddrType,
                XtComment,
                XtConntrack,
                XtMark,
                XtMultiport,
                XtNfacct,
                XtMatch.Other,
                XtPhysdev,
                XtRandom,
                XtRecent,
                XtSctp,
                XtTcp,
                XtUdp {

    /** The extension and its size. */
    default XtStruct struct() {
        return switch (this) {
            case XtAddrType _ -> XtStruct.ADDRTYPE;
            case XtComment _ -> XtStruct.COMMENT;
            case XtConntrack _ -> XtStruct.CONNTRACK;
            case XtMark _ -> XtStruct.MARK_MATCH;
            case XtMultiport _ -> XtStruct.MULTIPORT;
            case XtNfacct _ -> XtStruct.NFACCT;
            case XtPhysdev _ -> XtStruct.PHYSDEV;
            case XtRandom _ -> XtStruct.STATISTIC;
            case XtRecent _ -> XtStruct.RECENT;
            case XtSctp _ -> XtStruct.SCTP;
            case XtTcp _ -> XtStruct.TCP;
            case XtUdp _ -> XtStruct.UDP;
            case Other other -> other.struct();
        };
    }

    /** Writes the structure without the padding after it. */
    void writeTo(NlWriter writer);

    /** The structure with the padding after it. */
    default Bytes info() {
        return Bytes.written(struct().alignedSize(), this::writeTo);
    }

    /** Reads a structure; one that no record represents completely becomes {@link Other}. */
    static XtMatch read(String name, int revision, Bytes info) {
        XtMatch known = readKnown(name, revision, info);
        return known != null && known.info().equals(known.struct().meaning(info))
                ? known
                : new Other(name, revision, info);
    }

    private static @Nullable XtMatch readKnown(String name, int revision, Bytes info) {
        NlReader reader = info.reader(name);
        try {
            return switch (name) {
                case "comment" -> XtStruct.COMMENT.is(name, revision) ? XtComment.read(reader) : null;
                case "addrtype" -> XtStruct.ADDRTYPE.is(name, revision) ? XtAddrType.read(reader) : null;
                case "conntrack" -> XtStruct.CONNTRACK.is(name, revision) ? XtConntrack.read(reader) : null;
                case "statistic" -> XtStruct.STATISTIC.is(name, revision) ? XtRandom.read(reader) : null;
                case "recent" -> XtStruct.RECENT.is(name, revision) ? XtRecent.read(reader) : null;
                case "mark" -> XtStruct.MARK_MATCH.is(name, revision) ? XtMark.read(reader) : null;
                case "physdev" -> XtStruct.PHYSDEV.is(name, revision) ? XtPhysdev.read(reader) : null;
                case "tcp" -> XtStruct.TCP.is(name, revision) ? XtTcp.read(reader) : null;
                case "udp" -> XtStruct.UDP.is(name, revision) ? XtUdp.read(reader) : null;
                case "sctp" -> XtStruct.SCTP.is(name, revision) ? XtSctp.read(reader) : null;
                case "multiport" -> XtStruct.MULTIPORT.is(name, revision) ? XtMultiport.read(reader) : null;
                case "nfacct" -> XtStruct.NFACCT.is(name, revision) ? XtNfacct.read(reader) : null;
                default -> null;
            };
        } catch (DecodeException shorterThanItsRevision) {
            return null;
        }
    }

    /** A match without a record of its own, with its bytes unchanged. */
    record Other(String name, int revision, Bytes bytes) implements XtMatch {
        @Override
        public XtStruct struct() {
            return new XtStruct(name, revision, bytes.length(), bytes.length());
        }

        @Override
        public void writeTo(NlWriter writer) {
            writer.bytes(bytes);
        }

        @Override
        public String toString() {
            return "-m " + name + " rev " + revision + " 0x" + bytes;
        }
    }
}
