package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;
import org.jspecify.annotations.Nullable;

/** The structure of one xtables target. {@code toString} is what {@code iptables-save} prints for it. */
public sealed interface XtTarget permits XtDnat, XtMasquerade, XtTarget.Other, XtReject, XtSetMark {

    /** The extension and its size. */
    default XtStruct struct() {
        return switch (this) {
            case XtDnat _ -> XtStruct.DNAT;
            case XtMasquerade masquerade ->
                masquerade.family() == IpFamily.IPV4 ? XtStruct.MASQUERADE_4 : XtStruct.MASQUERADE_6;
            case XtReject _ -> XtStruct.REJECT;
            case XtSetMark _ -> XtStruct.MARK_TARGET;
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
    static XtTarget read(String name, int revision, Bytes info, IpFamily family) {
        XtTarget known = readKnown(name, revision, info, family);
        return known != null && known.info().equals(known.struct().meaning(info))
                ? known
                : new Other(name, revision, info);
    }

    private static @Nullable XtTarget readKnown(String name, int revision, Bytes info, IpFamily family) {
        NlReader reader = info.reader(name);
        try {
            return switch (name) {
                case "DNAT" -> XtStruct.DNAT.is(name, revision) ? XtDnat.read(reader, family) : null;
                case "MASQUERADE" ->
                    XtStruct.MASQUERADE_4.is(name, revision) ? XtMasquerade.read(reader, family) : null;
                case "MARK" -> XtStruct.MARK_TARGET.is(name, revision) ? XtSetMark.read(reader) : null;
                case "REJECT" -> XtStruct.REJECT.is(name, revision) ? XtReject.read(reader, family) : null;
                default -> null;
            };
        } catch (DecodeException shorterThanItsRevision) {
            return null;
        }
    }

    /** A target without a record of its own, with its bytes unchanged. */
    record Other(String name, int revision, Bytes bytes) implements XtTarget {
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
            return "-j " + name + " rev " + revision + " 0x" + bytes;
        }
    }
}
