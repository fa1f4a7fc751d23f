package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.NlWriter;

/** A match without a record of its own, with its bytes unchanged. */
public record XtOtherMatch(String name, int revision, Bytes bytes) implements XtMatch {
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
