package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.tree.Field;
import io.dualstackd.netlink.ip.Ip;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One endpoint of a slice; reused for the next one, because a cluster has a hundred thousand. */
final class RawEndpoint {
    private static final int TRUE = 2;
    private static final int FALSE = 1;
    private static final int UNKNOWN = 0;

    /** Every combination of conditions once: digits of base three for ready, serving, terminating. */
    private static final EndpointSlice.Conditions[] CONDITIONS = new EndpointSlice.Conditions[27];

    static {
        for (int i = 0; i < CONDITIONS.length; i++) {
            CONDITIONS[i] = new EndpointSlice.Conditions(truth(i % 3), truth(i / 3 % 3), truth(i / 9));
        }
    }

    /** The first address, if it is valid; the API reserves the others. */
    private @Nullable Ip ip;

    private String text = "";
    private boolean addressed;
    private int ready;
    private int serving;
    private int terminating;
    private String node = "";
    private Set<String> zones = Set.of();
    private Set<String> nodes = Set.of();

    private static Optional<Boolean> truth(int digit) {
        return digit == UNKNOWN ? Optional.empty() : Optional.of(digit == TRUE);
    }

    private void clear() {
        ip = null;
        text = "";
        addressed = false;
        ready = UNKNOWN;
        serving = UNKNOWN;
        terminating = UNKNOWN;
        node = "";
        zones = Set.of();
        nodes = Set.of();
    }

    public void proto(ProtoReader in) throws IOException {
        clear();
        int outer = in.enter();
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.ENDPOINT_ADDRESSES -> address(in);
                case ProtoTag.ENDPOINT_CONDITIONS -> conditions(in);
                case ProtoTag.ENDPOINT_NODE_NAME -> node = in.name();
                case ProtoTag.ENDPOINT_HINTS -> hints(in);
                default -> in.skip();
            }
        }
        in.leave(outer);
    }

    private void address(ProtoReader in) throws IOException {
        int length = in.length();
        if (addressed) {
            return;
        }
        addressed = true;
        int at = in.textStart(length);
        Ip plain = DottedQuad.read(in.bytes(), at, length);
        if (plain == null) {
            text = new String(in.bytes(), at, length, StandardCharsets.UTF_8);
            plain = IgnoredValues.ip(text).orElse(null);
        } else if (IgnoredValues.isSpecial(plain)) {
            text = plain.toString();
        }
        ip = plain;
    }

    private void conditions(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.ENDPOINT_CONDITIONS_READY -> ready = in.bool() ? TRUE : FALSE;
                case ProtoTag.ENDPOINT_CONDITIONS_SERVING -> serving = in.bool() ? TRUE : FALSE;
                case ProtoTag.ENDPOINT_CONDITIONS_TERMINATING -> terminating = in.bool() ? TRUE : FALSE;
                default -> in.skip();
            }
        }
        in.leave(outer);
    }

    private void hints(ProtoReader in) throws IOException {
        int outer = in.enter();
        while (in.next()) {
            switch (in.tag()) {
                case ProtoTag.ENDPOINT_HINTS_FOR_ZONES -> zones = hint(zones, in, ProtoTag.FOR_ZONE_NAME);
                case ProtoTag.ENDPOINT_HINTS_FOR_NODES -> nodes = hint(nodes, in, ProtoTag.FOR_NODE_NAME);
                default -> in.skip();
            }
        }
        in.leave(outer);
    }

    private static Set<String> hint(Set<String> before, ProtoReader in, int nameTag) throws IOException {
        int outer = in.enter();
        String name = "";
        while (in.next()) {
            if (in.tag() == nameTag) {
                name = in.name();
            } else {
                in.skip();
            }
        }
        in.leave(outer);
        if (name.isEmpty()) {
            return before;
        }
        return before.isEmpty() ? in.names().alone(name) : with(before, name);
    }

    private static Set<String> with(Set<String> before, String name) {
        Set<String> names = new HashSet<>(before);
        names.add(name);
        return Set.copyOf(names);
    }

    public void json(Field endpoint) {
        clear();
        List<String> texts = Texts.of(endpoint, "addresses");
        if (!texts.isEmpty()) {
            text = texts.getFirst();
            ip = IgnoredValues.ip(text).orElse(null);
        }
        endpoint.object("conditions").ifPresent(conditions -> {
            ready = digit(conditions.bool("ready"));
            serving = digit(conditions.bool("serving"));
            terminating = digit(conditions.bool("terminating"));
        });
        node = endpoint.textOrEmpty("nodeName").intern();
        endpoint.object("hints").ifPresent(hints -> {
            zones = names(hints, "forZones");
            nodes = names(hints, "forNodes");
        });
    }

    private static int digit(Optional<Boolean> condition) {
        return condition.map(yes -> yes ? TRUE : FALSE).orElse(UNKNOWN);
    }

    private static Set<String> names(Field hints, String list) {
        List<String> names = new ArrayList<>();
        for (Field hint : hints.objects(list)) {
            names.add(hint.textOrEmpty("name").intern());
        }
        names.removeIf(String::isEmpty);
        return Set.copyOf(names);
    }

    /** The first address as written, if it is not one that other hosts can use. */
    String text() {
        return text;
    }

    /** Returns the endpoint; empty when it has no address that other hosts can use. */
    Optional<EndpointSlice.Endpoint> build() {
        Ip address = ip;
        return address == null || IgnoredValues.isSpecial(address)
                ? Optional.empty()
                : Optional.of(new EndpointSlice.Endpoint(
                        address, CONDITIONS[ready + 3 * serving + 9 * terminating], node, zones, nodes));
    }
}
