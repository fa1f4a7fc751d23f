package io.dualstackd.kubeapi.wire.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.wire.KubeSchema;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Our numbers are upstream's, as its published definitions say. */
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

    /** The decoder's constants say the same as the encoder of these tests, which the test above compares with upstream. */
    @Test
    void theDecoderReadsThose() throws IllegalAccessException {
        Map<String, KubeSchema.Line> lines = new HashMap<>();
        for (KubeSchema.Line line : KubeSchema.LINES) {
            lines.put((line.message() + line.field()).toUpperCase(Locale.ROOT), line);
        }
        Set<String> general = new HashSet<>(Set.of(
                "LIST_METADATA", "LIST_ITEMS", "OBJECT_METADATA", "ENTRY_KEY", "ENTRY_VALUE", "VARINT", "BYTES"));
        for (Field constant : ProtoTag.class.getDeclaredFields()) {
            if (constant.isSynthetic()
                    || !Modifier.isStatic(constant.getModifiers())
                    || general.remove(constant.getName())) {
                continue;
            }
            KubeSchema.Line line = find(lines, constant.getName().replace("_", ""));
            boolean number = Set.of("int32", "int64", "bool").contains(line.type());
            assertThat(constant.getInt(null)).as(constant.getName()).isEqualTo(line.number() << 3 | (number ? 0 : 2));
        }
        assertThat(general).isEmpty();
        for (String kind : List.of("SERVICE", "ENDPOINTSLICE", "NODE", "SERVICECIDR", "POD")) {
            assertThat(find(lines, kind + "METADATA").number() << 3 | 2).isEqualTo(ProtoTag.OBJECT_METADATA);
            assertThat(find(lines, kind + "LISTMETADATA").number() << 3 | 2).isEqualTo(ProtoTag.LIST_METADATA);
            assertThat(find(lines, kind + "LISTITEMS").number() << 3 | 2).isEqualTo(ProtoTag.LIST_ITEMS);
        }
    }

    private static KubeSchema.Line find(Map<String, KubeSchema.Line> lines, String name) {
        return Objects.requireNonNull(lines.get(name), name);
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
