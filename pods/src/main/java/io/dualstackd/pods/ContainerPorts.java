package io.dualstackd.pods;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.netlink.ip.Proto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the annotation in which kubelet passes the declared ports of a container to the runtime. */
final class ContainerPorts {
    static final String ANNOTATION = "io.kubernetes.container.ports";

    private static final JsonFactory JSON = new JsonFactory();

    private ContainerPorts() {}

    /** Reads the parsable part of the annotation: a list of objects with {@code name}, {@code containerPort} and {@code protocol}. */
    static List<ContainerPort> read(String annotation) {
        if (annotation.isEmpty()) {
            return List.of();
        }
        List<ContainerPort> ports = new ArrayList<>();
        try (JsonParser json = JSON.createParser(annotation)) {
            if (json.nextToken() == JsonToken.START_ARRAY) {
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    port(json).ifPresent(ports::add);
                }
            }
        } catch (IOException e) {
            // The text is written by another program; the entries read so far are kept.
        }
        return List.copyOf(ports);
    }

    private static Optional<ContainerPort> port(JsonParser json) throws IOException {
        String name = "";
        String protocol = "TCP";
        int port = 0;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            JsonToken value = json.nextToken();
            switch (field) {
                case "name" -> name = json.getValueAsString("");
                case "protocol" -> protocol = json.getValueAsString("TCP");
                case "containerPort" -> port = value == JsonToken.VALUE_NUMBER_INT ? json.getIntValue() : 0;
                default -> json.skipChildren();
            }
        }
        boolean possible = port >= 1 && port <= 65_535;
        Optional<Proto> known = protocol(protocol);
        return possible && known.isPresent()
                ? Optional.of(new ContainerPort(name, port, known.get()))
                : Optional.empty();
    }

    private static Optional<Proto> protocol(String name) {
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "TCP" -> Optional.of(Proto.TCP);
            case "UDP" -> Optional.of(Proto.UDP);
            case "SCTP" -> Optional.of(Proto.SCTP);
            default -> Optional.empty();
        };
    }
}
