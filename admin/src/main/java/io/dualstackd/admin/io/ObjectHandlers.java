package io.dualstackd.admin.io;

import io.dualstackd.admin.objects.Descriptions;
import io.dualstackd.admin.objects.KnownObjects;
import io.dualstackd.admin.objects.LabelSelector;
import io.dualstackd.admin.objects.Listing;
import io.dualstackd.admin.objects.ObjectKind;
import io.dualstackd.admin.objects.WholeObjects;
import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Handles requests about objects. */
final class ObjectHandlers {
    static final String ALL = "*";
    static final String KNOWN = "get KIND[/NAME],... text|wide|name|json|yaml|watch NAMESPACE|* SELECTOR|-,"
            + " describe KIND[/NAME],... NAMESPACE|* SELECTOR|-";

    /** The prefix of lines about objects that were asked for by name and are not there. */
    static final String MISSING = "Error: ";

    private static final String NO_SELECTOR = "-";

    private ObjectHandlers() {}

    /**
     * Answers {@code get TARGETS FORMAT NAMESPACE SELECTOR}; empty for other requests.
     *
     * @param words of the request; blanks of the selector are written as {@code +}
     * @param unread why there may be more objects than those that are known; empty once there are not
     */
    static Optional<String> get(KnownObjects objects, List<String> words, Optional<String> unread) {
        Optional<Listing.Format> format = Arrays.stream(Listing.Format.values())
                .filter(known -> known.name().equalsIgnoreCase(words.get(2)))
                .findFirst();
        return format.isEmpty()
                ? Optional.empty()
                : listing(
                        words.get(1),
                        format.get(),
                        words.get(3),
                        words.get(4),
                        listing -> listed(objects, listing, unread.filter(why -> listing.asksTheSource())));
    }

    private static String listed(KnownObjects objects, Listing listing, Optional<String> unread) {
        // Who watches would take objects that are not known yet for objects that are gone.
        if (unread.isPresent() && listing.format().isWatched()) {
            return AdminClient.ERROR + "\n" + unread.get() + "\n";
        }
        return switch (listing.of(objects)) {
            case Listing.Result.Text(String text, List<Listing.Target> missing) -> {
                String lacking = unread.map(why -> MISSING + why + "\n").orElse(missing(missing, listing.namespace()));
                yield (lacking.isEmpty() ? AdminClient.OK : AdminClient.UNHEALTHY) + "\n" + text + lacking;
            }
            case Listing.Result.Refused(String why) -> AdminClient.ERROR + "\n" + why + "\n";
        };
    }

    /** Answers {@code describe TARGETS NAMESPACE SELECTOR}; empty for other requests. */
    static Optional<String> describe(KnownObjects objects, List<String> words, Optional<String> unread) {
        return listing(words.get(1), Listing.Format.TEXT, words.get(2), words.get(3), listing -> {
            Optional<String> unknown = listing.unknown(objects).or(() -> unread.filter(why -> listing.asksTheSource()));
            if (unknown.isPresent()) {
                return AdminClient.ERROR + "\n" + unknown.get() + "\n";
            }
            try {
                Descriptions.Result result = new Descriptions(listing).of(objects);
                return (result.healthy() && result.missing().isEmpty() ? AdminClient.OK : AdminClient.UNHEALTHY) + "\n"
                        + result.text() + missing(result.missing(), listing.namespace());
            } catch (WholeObjects.Incomplete e) {
                return AdminClient.ERROR + "\n" + e.getMessage() + "\n";
            }
        });
    }

    /** Answers with what is asked for; empty when the words do not name it. */
    private static Optional<String> listing(
            String targets,
            Listing.Format format,
            String namespace,
            String selector,
            Function<Listing, String> answer) {
        String[] words = targets.split(",", -1);
        List<Listing.Target> known =
                Arrays.stream(words).flatMap(word -> target(word).stream()).toList();
        if (known.size() != words.length) {
            return Optional.empty();
        }
        LabelSelector labels;
        try {
            labels = selector.equals(NO_SELECTOR) ? LabelSelector.ALL : LabelSelector.parse(selector.replace('+', ' '));
        } catch (IllegalArgumentException e) {
            return Optional.of(AdminClient.ERROR + "\n" + e.getMessage() + "\n");
        }
        Optional<String> one = Optional.of(namespace).filter(name -> !name.equals(ALL));
        return Optional.of(answer.apply(new Listing(known, format, one, labels)));
    }

    private static String missing(List<Listing.Target> missing, Optional<String> namespace) {
        return missing.stream()
                .map(target -> MISSING
                        + missing(target.kind(), namespace, target.name().orElse("")))
                .collect(Collectors.joining());
    }

    private static Optional<Listing.Target> target(String word) {
        int slash = word.indexOf('/');
        String kind = slash < 0 ? word : word.substring(0, slash);
        return ObjectKind.named(kind)
                .map(known -> new Listing.Target(
                        known, slash < 0 ? Optional.empty() : Optional.of(word.substring(slash + 1))));
    }

    /** Why an object that no manifest has cannot be edited: it does not exist, or it is made here. */
    static String absent(KnownObjects objects, ObjectKey key) {
        ObjectKind kind = ObjectKind.named(key.kind().toString()).orElseThrow();
        Optional<String> namespace = Optional.of(key.namespace()).filter(name -> !name.isEmpty());
        Listing.Target target = new Listing.Target(kind, Optional.of(key.name()));
        boolean exists = new Listing(List.of(target), Listing.Format.NAME, namespace, LabelSelector.ALL).of(objects)
                        instanceof Listing.Result.Text(String ignored, List<Listing.Target> missing)
                && missing.isEmpty();
        if (!exists) {
            return missing(kind, namespace, key.name()).strip();
        }
        String from = switch (key.kind()) {
            case ENDPOINT_SLICE -> "from Endpoints, or from the pods of this node";
            case ENDPOINTS -> "from EndpointSlices";
            case SERVICE, NODE, SERVICE_CIDR, IP_ADDRESS -> "from its settings and from other objects";
        };
        return key + " is in no manifest, so it cannot be edited: the daemon makes it itself, " + from;
    }

    private static String missing(ObjectKind kind, Optional<String> namespace, String name) {
        String where = kind.namespaced()
                ? namespace.map(one -> " in namespace \"" + one + "\"").orElse("")
                : "";
        return kind.plural() + " \"" + name + "\" not found" + where + "; 'dualstackd get " + kind.plural()
                + (kind.namespaced() ? " -A" : "") + "' lists all\n";
    }
}
