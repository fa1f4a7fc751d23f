package io.dualstackd.agent.config;

import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.print.YamlPrint;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import io.dualstackd.pages.health.ShownConfig;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a configuration as an equivalent file: a KubeProxyConfiguration with all of its fields, those that were not given at their
 * defaults. Of our own settings only those that were given are written, because kube-proxy does not know them.
 */
public final class ConfigText {
    private static final Set<String> NUMBERS = Set.of("N", "BIT");
    /** Words and durations, which every parser of YAML reads as texts. */
    private static final String PLAIN = "[A-Za-z/][A-Za-z0-9/._-]*|(\\d+(ns|us|ms|s|m|h))+";

    private static final String MEANT = "(?i)y|n|yes|no|on|off|true|false|null";

    private ConfigText() {}

    /** The file as YAML, keys in alphabetical order, as kube-proxy writes them. */
    public static String of(Map<Key, ConfigValue> given) {
        Map<String, Object> top = fields(given);
        top.put("apiVersion", ConfigSchema.KUBE_PROXY.apiVersion());
        top.put("kind", ConfigSchema.KUBE_PROXY.kind());
        return YamlPrint.of(Tree.of(top), text -> text.matches(PLAIN) && !text.matches(MEANT));
    }

    /** The form shown over HTTP: the same as JSON, and the value of every flag. */
    public static ShownConfig shown(Map<Key, ConfigValue> given) {
        SortedMap<String, String> flags = new TreeMap<>();
        Stream.of(Key.values()).forEach(key -> flags.put(key.flag().replaceFirst("^-+", ""), text(key, given)));
        return new ShownConfig(JsonPrint.line(Tree.object("kubeproxy.config.k8s.io", fields(given))), flags);
    }

    private static Map<String, Object> fields(Map<Key, ConfigValue> given) {
        Map<String, Object> top = new TreeMap<>();
        Stream.of(Key.values())
                .filter(key -> !key.path().isEmpty())
                .filter(key -> !key.path().startsWith(Key.OWN) || given.containsKey(key))
                .forEach(key -> put(top, key, text(key, given)));
        return top;
    }

    private static String text(Key key, Map<Key, ConfigValue> given) {
        return switch (key) {
            case HEALTHZ_BIND_ADDRESS -> withPort(valueOf(key, given), given.get(Key.HEALTHZ_PORT));
            case METRICS_BIND_ADDRESS -> withPort(valueOf(key, given), given.get(Key.METRICS_PORT));
            default -> valueOf(key, given);
        };
    }

    /** The deprecated flag for a port counts where the address has none; 0 means not to listen. */
    private static String withPort(String address, @Nullable ConfigValue port) {
        if (port == null) {
            return address;
        }
        int number = GoText.whole(port.text().strip()).orElseThrow().intValue();
        if (number == 0) {
            return "";
        }
        try {
            return new IpPort(Ip.parseLenient(address), number).toString();
        } catch (IllegalArgumentException e) {
            return address;
        }
    }

    private static String valueOf(Key key, Map<Key, ConfigValue> given) {
        ConfigValue value = given.get(key);
        if (value != null) {
            return value.text().strip();
        }
        // Defaults that depend on other values: written out, they must keep their meaning.
        ConfigValue bindAddress = given.get(Key.BIND_ADDRESS);
        boolean ipv6 = bindAddress != null
                && bindAddress.place() instanceof Place.InFile
                && bindAddress.text().split(",", 2)[0].contains(":");
        return switch (key) {
            case HEALTHZ_BIND_ADDRESS -> ipv6 ? ConfigReader.HEALTHZ_IPV6 : key.fallback();
            case METRICS_BIND_ADDRESS -> ipv6 ? ConfigReader.METRICS_IPV6 : key.fallback();
            case NFTABLES_MASQUERADE_ALL ->
                byFlag(given.get(Key.MASQUERADE_ALL)).orElse(key.fallback());
            case NFTABLES_SYNC_PERIOD -> byFlag(given.get(Key.SYNC_PERIOD)).orElse(key.fallback());
            case NFTABLES_MIN_SYNC_PERIOD ->
                byFlag(given.get(Key.MIN_SYNC_PERIOD)).orElse(key.fallback());
            default -> key.fallback();
        };
    }

    private static Optional<String> byFlag(@Nullable ConfigValue value) {
        return Optional.ofNullable(value)
                .filter(flag -> flag.place() instanceof Place.Flag)
                .map(ConfigValue::text);
    }

    @SuppressWarnings("unchecked") // only maps of this shape are put where a path goes on
    private static void put(Map<String, Object> top, Key key, String text) {
        String[] path = key.path().split("\\.", -1);
        Map<String, Object> at = top;
        for (int i = 0; i < path.length - 1; i++) {
            at = (Map<String, Object>) at.computeIfAbsent(path[i], name -> new TreeMap<String, Object>());
        }
        at.put(path[path.length - 1], value(key, text));
    }

    private static Object value(Key key, String text) {
        List<String> words = Stream.of(text.split(",", -1))
                .map(String::strip)
                .filter(w -> !w.isEmpty())
                .toList();
        if (key.isMap()) {
            Map<String, Object> map = new TreeMap<>();
            words.forEach(word -> map.put(word.replaceFirst("=.*", ""), truth(word.replaceFirst(".*=", ""))));
            return map;
        }
        if (key == Key.LOG_FLUSH && text.matches("\\d+")) {
            // A file may have nanoseconds without a unit here; a quoted number, kube-proxy refuses.
            return text + "ns";
        }
        // kube-proxy has a single text here, with commas in it.
        return key.isList() && key != Key.CLUSTER_CIDR && key != Key.BIND_ADDRESS
                ? words
                : key.isSwitch() ? truth(text) : NUMBERS.contains(key.parameter()) ? number(key, text) : text;
    }

    /** A truth value as JSON has it: a flag may say {@code T} or {@code 1}. */
    private static Object truth(String text) {
        return GoText.truth(text).<Object>map(truth -> truth).orElse(text);
    }

    /** A number as JSON has it: a flag may say {@code +5} or {@code 0x7}. A value that is not in use may be no number. */
    private static Object number(Key key, String text) {
        Optional<BigDecimal> number = key == Key.KUBE_API_QPS
                ? GoText.fraction(text)
                : GoText.whole(text).map(BigDecimal::valueOf);
        return number.<Object>map(n -> new Tree.Scalar(n.toPlainString(), Tree.Type.FRACTION, 0))
                .orElse(text);
    }
}
