package io.dualstackd.admin.io;

import io.dualstackd.admin.objects.KnownObjects;
import io.dualstackd.admin.objects.LabelSelector;
import io.dualstackd.admin.objects.Listing;
import io.dualstackd.admin.objects.ObjectKind;
import io.dualstackd.admin.objects.ObjectsReport;
import io.dualstackd.admin.objects.ServiceDescription;
import io.dualstackd.kubeapi.objects.ObjectKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Handles requests about objects. */
final class ObjectHandlers {
    static final String ALL = "*";
    static final String KNOWN = "get KIND[/NAME],... text|wide|name|json|yaml|watch NAMESPACE|* SELECTOR|-,"
            + " describe service NAMESPACE/NAME";

    /** The prefix of lines about objects that were asked for by name and are not there. */
    static final String MISSING = "Error: ";

    private static final String NO_SELECTOR = "-";

    private ObjectHandlers() {}

    /**
     * Answers {@code get TARGETS FORMAT NAMESPACE SELECTOR}; empty for other requests.
     *
     * @param words of the request; blanks of the selector are written as {@code +}
     */
    static Optional<String> get(KnownObjects objects, List<String> words) {
        List<Listing.Target> targets = Arrays.stream(words.get(1).split(",", -1))
                .flatMap(word -> target(word).stream())
                .toList();
        Optional<Listing.Format> format = Arrays.stream(Listing.Format.values())
                .filter(known -> known.name().equalsIgnoreCase(words.get(2)))
                .findFirst();
        if (targets.size() != words.get(1).split(",", -1).length || format.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> namespace = Optional.of(words.get(3)).filter(name -> !name.equals(ALL));
        LabelSelector selector;
        try {
            selector = words.get(4).equals(NO_SELECTOR)
                    ? LabelSelector.ALL
                    : LabelSelector.parse(words.get(4).replace('+', ' '));
        } catch (IllegalArgumentException e) {
            return Optional.of(AdminClient.ERROR + "\n" + e.getMessage() + "\n");
        }
        return Optional.of(
                switch (new Listing(targets, format.get(), namespace, selector).of(objects)) {
                    case Listing.Said.Text(String text, List<Listing.Target> missing) ->
                        (missing.isEmpty() ? AdminClient.OK : AdminClient.UNHEALTHY) + "\n" + text
                                + missing.stream()
                                        .map(target -> MISSING
                                                + missing(
                                                        target.kind(),
                                                        namespace,
                                                        target.name().orElse("")))
                                        .collect(Collectors.joining());
                    case Listing.Said.Refused(String why) -> AdminClient.ERROR + "\n" + why + "\n";
                });
    }

    private static Optional<Listing.Target> target(String word) {
        int slash = word.indexOf('/');
        String kind = slash < 0 ? word : word.substring(0, slash);
        return ObjectKind.named(kind)
                .map(known -> new Listing.Target(
                        known, slash < 0 ? Optional.empty() : Optional.of(word.substring(slash + 1))));
    }

    /** Answers {@code describe service NAMESPACE/NAME}; empty for other requests. */
    static Optional<String> describe(ObjectsReport report, List<String> words) {
        int slash = words.get(2).indexOf('/');
        if (!words.get(1).equals("service") || slash < 0) {
            return Optional.empty();
        }
        String namespace = words.get(2).substring(0, slash);
        String name = words.get(2).substring(slash + 1);
        return Optional.of(ServiceDescription.of(report, namespace, name)
                .map(said -> (said.well() ? AdminClient.OK : AdminClient.UNHEALTHY) + "\n" + said.text())
                .orElseGet(
                        () -> AdminClient.ERROR + "\n" + missing(ObjectKind.SERVICES, Optional.of(namespace), name)));
    }

    /** Why an object that no manifest has cannot be edited: it does not exist, or it is made here. */
    static String absent(KnownObjects objects, ObjectKey key) {
        ObjectKind kind = ObjectKind.named(key.kind().toString()).orElseThrow();
        Optional<String> namespace = Optional.of(key.namespace()).filter(name -> !name.isEmpty());
        Listing.Target target = new Listing.Target(kind, Optional.of(key.name()));
        boolean exists = new Listing(List.of(target), Listing.Format.NAME, namespace, LabelSelector.ALL).of(objects)
                        instanceof Listing.Said.Text(String ignored, List<Listing.Target> missing)
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
