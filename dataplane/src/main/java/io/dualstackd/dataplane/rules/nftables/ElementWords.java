package io.dualstackd.dataplane.rules.nftables;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.MapData;
import io.dualstackd.netlink.nft.NftElement;
import io.dualstackd.netlink.nft.userdata.UserData;
import io.dualstackd.netlink.wire.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Prints elements of this layout as {@code nft list ruleset} does. */
public final class ElementWords {
    private final IpFamily family;

    public ElementWords(IpFamily family) {
        this.family = family;
    }

    /** The element, its comment and its value; empty for sets that are not of the layout, such as those inside rules. */
    public Optional<String> of(String set, NftElement element) {
        return shape(set)
                .map(shape -> key(shape, element.key())
                        + UserData.findComment(element.userData())
                                .map(comment -> " comment \"" + comment + "\"")
                                .orElse("")
                        + data(element.data()));
    }

    private static Optional<KeyShape> shape(String set) {
        Optional<KeyShape> fixed = Arrays.stream(FixedSet.values())
                .filter(known -> known.setName().equals(set))
                .map(FixedSet::shape)
                .findFirst();
        return fixed.or(() -> Arrays.stream(Lane.values())
                .flatMap(lane -> shape(lane, set).stream())
                .findFirst());
    }

    private static Optional<KeyShape> shape(Lane lane, String set) {
        if (set.equals(lane.mapName())) {
            return Optional.of(lane.slot());
        }
        String counted = lane.setName(0);
        boolean ofLane =
                set.equals(lane.stickyMapName()) || set.matches(counted.substring(0, counted.length() - 1) + "\\d+");
        return ofLane ? Optional.of(lane.destination()) : Optional.empty();
    }

    private String key(KeyShape shape, Bytes key) {
        int at = 0;
        StringBuilder text = new StringBuilder();
        for (KeyShape.Part part : shape.parts()) {
            text.append(at == 0 ? "" : " . ");
            switch (part) {
                case SOURCE, DESTINATION -> {
                    text.append(ip(key, at));
                    at += family.bytes();
                }
                case PROTOCOL -> {
                    text.append(protocol(key.at(at)));
                    at += Integer.BYTES;
                }
                case PORT -> {
                    text.append(port(key, at));
                    at += Integer.BYTES;
                }
                case SLOT -> {
                    text.append(number(key, at));
                    at += Integer.BYTES;
                }
            }
        }
        return text.toString();
    }

    private String data(MapData data) {
        return switch (data) {
            case MapData.Nothing() -> "";
            case MapData.Value(Bytes value) -> " : " + ip(value, 0) + " . " + port(value, family.bytes());
            case MapData.Does(var verdict) -> " : " + verdict;
        };
    }

    private Ip ip(Bytes bytes, int at) {
        return Ip.ofBytes(Arrays.copyOfRange(bytes.toArray(), at, at + family.bytes()));
    }

    /** In host byte order, as the kernel draws it. */
    private static int number(Bytes bytes, int at) {
        return ByteBuffer.wrap(bytes.toArray()).order(ByteOrder.nativeOrder()).getInt(at);
    }

    private static int port(Bytes bytes, int at) {
        return (bytes.at(at) << 8) | bytes.at(at + 1);
    }

    private static String protocol(int number) {
        return new Proto(number).toString().toLowerCase(Locale.ROOT);
    }
}
