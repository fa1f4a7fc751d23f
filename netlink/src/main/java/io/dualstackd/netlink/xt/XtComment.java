package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Always matches; holds a comment for listings ({@code struct xt_comment_info}).
 *
 * @param text at most 255 bytes of UTF-8
 */
public record XtComment(String text) implements XtMatch {
    static XtComment read(NlReader reader) throws DecodeException {
        return new XtComment(XtText.read(reader, XtStruct.COMMENT.size()));
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.fixedText(text, XtStruct.COMMENT.size());
    }

    @Override
    public String toString() {
        return "-m comment --comment \"" + text + "\"";
    }
}
