package io.dualstackd.nodeaddr;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The cases of {@code vectors.json}, as they come with the jar. */
final class Vectors {
    /** One object of a section. */
    record Case(Map<String, Object> fields) {
        String text(String key) {
            return (String) Objects.requireNonNull(fields.get(key), key);
        }

        Optional<String> optional(String key) {
            return Optional.ofNullable((String) fields.get(key));
        }

        boolean flag(String key, boolean otherwise) {
            return (boolean) fields.getOrDefault(key, otherwise);
        }

        long number(String key, long otherwise) {
            return (long) fields.getOrDefault(key, otherwise);
        }

        List<String> texts(String key) {
            return list(key).stream().map(String.class::cast).toList();
        }

        @SuppressWarnings("unchecked") // the reader below makes lists of objects
        List<Object> list(String key) {
            return (List<Object>) fields.getOrDefault(key, List.of());
        }

        Map<String, String> map(String key) {
            return ((Map<?, ?>) fields.getOrDefault(key, Map.of()))
                    .entrySet().stream()
                            .collect(Collectors.toMap(e -> (String) e.getKey(), e -> (String) e.getValue()));
        }

        List<NodeAddress> addresses(String key) {
            return texts(key).stream().map(Vectors::address).toList();
        }

        Host host() {
            List<Host.Link> links = new ArrayList<>();
            List<Host.Address> addresses = new ArrayList<>();
            for (Object each : list("links")) {
                Case link = ofObject(each);
                int index = links.size() + 1;
                links.add(new Host.Link(
                        index,
                        link.text("name"),
                        link.flag("up", true),
                        link.flag("loopback", false),
                        link.flag("pointToPoint", false)));
                link.list("addresses").forEach(a -> addresses.add(hostAddress(index, a)));
            }
            Host bare = new Host(links, List.of(), List.of());
            return new Host(
                    links,
                    addresses,
                    list("defaultRoutes").stream()
                            .map(Vectors::ofObject)
                            .map(route -> new Host.DefaultRoute(
                                    family(route.text("family")),
                                    bare.link(route.text("interface"))
                                            .orElseThrow()
                                            .index(),
                                    route.optional("gateway").map(Ip::parse),
                                    route.optional("source").map(Ip::parse),
                                    route.number("metric", 0)))
                            .toList());
        }

        HostNames names() {
            return new HostNames(
                    optional("hostname").orElse("n"),
                    texts("dns").stream().map(Ip::parse).toList());
        }

        @Override
        public String toString() {
            return fields.toString();
        }
    }

    private Vectors() {}

    static Stream<Case> section(String name) {
        return ((List<?>) Objects.requireNonNull(all().get(name), name))
                .stream().map(Vectors::ofObject);
    }

    static Map<String, Object> all() {
        try (InputStream in = Vectors.class.getResourceAsStream("vectors.json");
                JsonParser json = new JsonFactory().createParser(Objects.requireNonNull(in))) {
            json.nextToken();
            return object(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Object> object(JsonParser json) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String key = json.currentName();
            json.nextToken();
            fields.put(key, value(json));
        }
        return fields;
    }

    private static Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(json));
                }
                yield list;
            }
            case VALUE_TRUE, VALUE_FALSE -> json.getBooleanValue();
            case VALUE_NUMBER_INT -> json.getLongValue();
            default -> json.getText();
        };
    }

    @SuppressWarnings("unchecked") // the reader above makes maps from text to object
    private static Case ofObject(Object object) {
        return new Case((Map<String, Object>) object);
    }

    private static NodeAddress address(String text) {
        int blank = text.indexOf(' ');
        return new NodeAddress(NodeAddress.Type.of(text.substring(0, blank)).orElseThrow(), text.substring(blank + 1));
    }

    private static Host.Address hostAddress(int link, Object written) {
        if (written instanceof String text) {
            return hostAddress(link, text, 0, Set.of());
        }
        Case address = ofObject(written);
        Set<Host.Flag> flags = address.texts("flags").stream()
                .map(word -> Arrays.stream(Host.Flag.values())
                        .filter(flag -> flag.toString().equals(word))
                        .findFirst()
                        .orElseThrow())
                .collect(Collectors.toSet());
        return hostAddress(link, address.text("address"), (int) address.number("scope", 0), flags);
    }

    private static Host.Address hostAddress(int link, String text, int scope, Set<Host.Flag> flags) {
        int slash = text.indexOf('/');
        return new Host.Address(
                link, Ip.parse(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)), scope, flags);
    }

    private static IpFamily family(String text) {
        return Stream.of(IpFamily.values())
                .filter(family -> family.toString().equals(text))
                .findFirst()
                .orElseThrow();
    }
}
