package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.PackedEndpoints;
import io.dualstackd.netlink.ip.Ip;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One endpoint of a slice; reused for the next one, because a cluster has a hundred thousand. */
final class RawEndpoint {
    private static final Message ENDPOINT =
            Message.of("Endpoint", "texts addresses = 1, message conditions = 2, text nodeName = 6, message hints = 8");
    private static final Message CONDITIONS =
            Message.of("EndpointConditions", "bool ready = 1, bool serving = 2, bool terminating = 3");
    private static final Message HINTS = Message.of("EndpointHints", "messages forZones = 1, messages forNodes = 2");
    private static final Message FOR_ZONE = Message.of("ForZone", "text name = 1");
    private static final Message FOR_NODE = Message.of("ForNode", "text name = 1");

    private static final Optional<Boolean> TRUE = Optional.of(true);
    private static final Optional<Boolean> FALSE = Optional.of(false);

    /** The first address, if other hosts can use it; the API reserves the others. */
    private @Nullable Ip ip;

    private String text = "";
    private boolean addressed;
    private Optional<Boolean> ready = Optional.empty();
    private Optional<Boolean> serving = Optional.empty();
    private Optional<Boolean> terminating = Optional.empty();
    private String node = "";
    private Set<String> zones = Set.of();
    private Set<String> nodes = Set.of();

    void read(FieldReader in) throws IOException {
        clear();
        in.enter(ENDPOINT);
        while (in.next()) {
            switch (in.field()) {
                case "addresses" -> address(in);
                case "conditions" -> conditions(in);
                case "nodeName" -> node = in.name();
                default -> hints(in);
            }
        }
    }

    private void clear() {
        ip = null;
        text = "";
        addressed = false;
        ready = Optional.empty();
        serving = Optional.empty();
        terminating = Optional.empty();
        node = "";
        zones = Set.of();
        nodes = Set.of();
    }

    private void address(FieldReader in) throws IOException {
        if (addressed) {
            in.skip();
            return;
        }
        addressed = true;
        ip = in.ip();
        if (ip == null || IgnoredValues.isSpecial(ip)) {
            ip = null;
            text = in.ipText();
        }
    }

    private void conditions(FieldReader in) throws IOException {
        in.enter(CONDITIONS);
        while (in.next()) {
            switch (in.field()) {
                case "ready" -> ready = truth(in);
                case "serving" -> serving = truth(in);
                default -> terminating = truth(in);
            }
        }
    }

    private static Optional<Boolean> truth(FieldReader in) throws IOException {
        return in.bool() ? TRUE : FALSE;
    }

    private void hints(FieldReader in) throws IOException {
        in.enter(HINTS);
        while (in.next()) {
            switch (in.field()) {
                case "forZones" -> zones = hint(zones, in, FOR_ZONE);
                default -> nodes = hint(nodes, in, FOR_NODE);
            }
        }
    }

    private static Set<String> hint(Set<String> before, FieldReader in, Message hint) throws IOException {
        String name = "";
        in.enter(hint);
        while (in.next()) {
            name = in.name();
        }
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

    /** The first address as written, if it is not one that other hosts can use. */
    String text() {
        return text;
    }

    /** Adds the endpoint to others; false when it has no address that other hosts can use. */
    boolean addTo(PackedEndpoints.Builder endpoints) {
        Ip address = ip;
        if (address != null) {
            endpoints.add(address, EndpointSlice.Conditions.of(ready, serving, terminating), node, zones, nodes, "");
        }
        return address != null;
    }
}
