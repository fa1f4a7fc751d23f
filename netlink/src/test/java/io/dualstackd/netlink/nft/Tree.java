package io.dualstackd.netlink.nft;

import io.dualstackd.netlink.wire.AttrTable;
import io.dualstackd.netlink.wire.Bytes;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.RawAttr;
import java.util.ArrayList;
import java.util.List;

/** Compares attributes we wrote with those the kernel sent, which never marks nests as such: what we call a nest shows the way. */
final class Tree {
    private static final AttrTable NOTHING = AttrTable.of("NOTHING");
    private static final int NESTED = 0x8000;

    private Tree() {}

    /** Where {@code ours} and {@code received} differ, as paths of attribute numbers. */
    static List<String> differences(Bytes ours, Bytes received, String path) throws DecodeException {
        List<RawAttr> left = new ArrayList<>(attributes(received));
        List<String> differences = new ArrayList<>();
        for (RawAttr attr : attributes(ours)) {
            String here = path + "/" + attr.number();
            int at = indexOf(left, attr.number());
            if (at < 0) {
                differences.add(here);
                continue;
            }
            RawAttr same = left.remove(at);
            if ((attr.type() & NESTED) != 0) {
                differences.addAll(differences(attr.payload(), same.payload(), here));
            } else if (!attr.payload().equals(same.payload())) {
                differences.add(here);
            }
        }
        // The kernel also sends nests with nothing in them.
        left.stream()
                .filter(attr -> attr.payload().length() > 0)
                .forEach(attr -> differences.add(path + "/" + attr.number()));
        return differences;
    }

    private static int indexOf(List<RawAttr> attributes, int number) {
        for (int i = 0; i < attributes.size(); i++) {
            if (attributes.get(i).number() == number) {
                return i;
            }
        }
        return -1;
    }

    private static List<RawAttr> attributes(Bytes content) throws DecodeException {
        return content.reader("attributes").attrs(NOTHING).unknown();
    }
}
