package io.dualstackd.kubeapi.wire.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.wire.KubeSchema;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Our numbers are upstream's, as its published definitions say. */
@Tag("fetched")
public final class FieldNumbersTest {
    private static final Pattern MESSAGE = Pattern.compile("^message (\\w+) \\{$");
    private static final Pattern FIELD =
            Pattern.compile("^\\s+(?:(optional|repeated) )?(map<[^>]*>|[.\\w]+) (\\w+) = (\\d+)( \\[.*])?;$");

    @Test
    void asUpstreamDefinesThem() throws IOException {
        Map<String, KubeSchema.Line> upstream = new HashMap<>();
        // Two packages have messages of the same name: the first one here is the one we mean.
        for (String file : List.of("runtime", "discovery", "networking", "intstr", "meta", "core")) {
            Path definition = root().resolve("target/witness/kube/" + file + ".proto");
            assertThat(definition)
                    .as("upstream's own definition; bin/witness-kube-proto fetches it")
                    .isNotEmptyFile();
            read(Files.readString(definition), upstream);
        }

        assertThat(upstream).hasSizeGreaterThan(1_000);
        assertThat(KubeSchema.LINES)
                .allSatisfy(line -> assertThat(upstream.get(line.message() + "." + line.field()))
                        .as(line.toString())
                        .isEqualTo(line));
    }

    private static void read(String definition, Map<String, KubeSchema.Line> into) {
        String message = "";
        for (String line : definition.lines().toList()) {
            Matcher opens = MESSAGE.matcher(line);
            Matcher field = FIELD.matcher(line);
            if (opens.matches()) {
                message = opens.group(1);
            } else if (field.matches()) {
                String bare = field.group(2).replaceFirst("^\\.k8s\\.io\\.[.\\w]*\\.", "");
                String type = "repeated".equals(field.group(1)) ? "repeated " + bare : bare;
                into.putIfAbsent(
                        message + "." + field.group(3),
                        new KubeSchema.Line(message, field.group(3), Integer.parseInt(field.group(4)), type));
            }
        }
    }

    /** The messages that are read say the same as the encoder of these tests, which the test above compares with upstream. */
    @Test
    void theDecoderReadsThose() throws IOException, ReflectiveOperationException {
        Map<String, KubeSchema.Line> lines = new HashMap<>();
        for (KubeSchema.Line line : KubeSchema.LINES) {
            lines.put(line.message() + "." + line.field(), line);
        }
        List<Message> messages = messages();
        assertThat(messages).hasSizeGreaterThan(25);
        for (Message message : messages) {
            for (Message.Entry entry : message.entries()) {
                String name = message.name() + "." + entry.name();
                KubeSchema.Line line = Objects.requireNonNull(lines.get(name), name);
                boolean number = Set.of("int32", "int64", "bool").contains(line.type());
                assertThat(entry.tag()).as(name).isEqualTo(line.number() << 3 | (number ? 0 : 2));
                assertThat(entry.type()).as(name).isEqualTo(type(line.type()));
            }
        }
        for (String kind : List.of("EndpointSlice", "Node", "ServiceCIDR")) {
            for (String field : List.of("metadata", "items")) {
                assertThat(Objects.requireNonNull(lines.get(kind + "List." + field))
                                .number())
                        .isEqualTo(Objects.requireNonNull(lines.get("ServiceList." + field))
                                .number());
            }
        }
    }

    private static Message.Type type(String type) {
        return switch (type) {
            case "string", "bytes" -> Message.Type.TEXT;
            case "repeated string" -> Message.Type.TEXTS;
            case "int32", "int64" -> Message.Type.NUMBER;
            case "bool" -> Message.Type.BOOL;
            case "map<string, string>" -> Message.Type.MAP;
            case "Time", "IntOrString" -> Message.Type.SCALAR;
            default -> type.startsWith("repeated ") ? Message.Type.MESSAGES : Message.Type.MESSAGE;
        };
    }

    /** All messages that classes of the decoders declare, except entries of maps, which have no name. */
    private static List<Message> messages() throws IOException, ReflectiveOperationException {
        List<Message> messages = new ArrayList<>();
        Path sources = root().resolve("kubeapi/src/main/java");
        try (Stream<Path> files = Files.walk(sources.resolve("io/dualstackd/kubeapi/wire"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String name =
                        sources.relativize(file).toString().replace(".java", "").replace('/', '.');
                for (Field field : Class.forName(name).getDeclaredFields()) {
                    if (field.getType() == Message.class && Modifier.isStatic(field.getModifiers())) {
                        field.setAccessible(true);
                        messages.add((Message) Objects.requireNonNull(field.get(null)));
                    }
                }
            }
        }
        messages.removeIf(message -> message.name().isEmpty());
        return messages;
    }

    /** The repository's root, wherever the test is started. */
    public static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("bin/witness-kube-proto"))) {
                return at;
            }
        }
        throw new AssertionError("started outside the repository");
    }
}
