package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.NlWriter;

/** A target without a record of its own, with its bytes unchanged. */
public record XtOtherTarget(String name, int revision, Bytes bytes) implements XtTarget {
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
