package io.dualstackd.netlink.xt;

import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlReader;
import io.dualstackd.netlink.wire.NlWriter;

/**
 * Counts the packet at an accounting object; always matches ({@code struct xt_nfacct_match_info_v1}). The kernel refuses it with ENOENT while
 * there is no object of that name.
 *
 * @param object the name of the object, shorter than 32 bytes ({@code NFACCT_NAME_MAX})
 */
public record XtNfacct(String object) implements XtMatch {
    private static final int NAME_SIZE = 32;
    /** The kernel's pointer to the object. */
    private static final int POINTER_SIZE = 8;

    static XtNfacct read(NlReader reader) throws DecodeException {
        return new XtNfacct(XtText.read(reader, NAME_SIZE));
    }

    @Override
    public void writeTo(NlWriter writer) {
        writer.fixedText(object, NAME_SIZE);
        writer.zeros(POINTER_SIZE);
    }

    /** With two spaces, as the tool prints it. */
    @Override
    public String toString() {
        return "-m nfacct --nfacct-name  " + object;
    }
}
