package io.dualstackd.agent.admin.io;

import io.dualstackd.agent.admin.objects.Listing;
import io.dualstackd.agent.admin.objects.ObjectKind;
import io.dualstackd.agent.admin.objects.ObjectsReport;
import io.dualstackd.agent.admin.objects.ServiceDescription;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Handles requests about objects. */
final class ObjectHandlers {
    static final String ALL = "*";
    static final String KNOWN = "get KIND text|wide|name|json|yaml NAMESPACE|* [NAME], describe service NAMESPACE/NAME";

    private ObjectHandlers() {}

    /**
     * Answers {@code get KIND FORMAT NAMESPACE [NAME]}; empty for other requests.
     *
     * @param words of the request
     */
    static Optional<String> get(ObjectsReport report, List<String> words) {
        Optional<ObjectKind> kind = ObjectKind.named(words.get(1));
        Optional<Listing.Format> format = Arrays.stream(Listing.Format.values())
                .filter(known -> known.name().equalsIgnoreCase(words.get(2)))
                .findFirst();
        if (kind.isEmpty() || format.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> namespace = Optional.of(words.get(3)).filter(name -> !name.equals(ALL));
        Optional<String> name = words.size() > 4 ? Optional.of(words.get(4)) : Optional.empty();
        return Optional.of(
                switch (new Listing(kind.get(), format.get(), namespace, name).of(report)) {
                    case Listing.Said.Text(String text) -> AdminClient.OK + "\n" + text;
                    case Listing.Said.Missing ignored -> missing(kind.get(), namespace, name.orElse(""));
                    case Listing.Said.Refused(String why) -> AdminClient.ERROR + "\n" + why + "\n";
                });
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
                .orElseGet(() -> missing(ObjectKind.SERVICES, Optional.of(namespace), name)));
    }

    private static String missing(ObjectKind kind, Optional<String> namespace, String name) {
        String where = kind.namespaced()
                ? namespace.map(one -> " in namespace \"" + one + "\"").orElse("")
                : "";
        return AdminClient.ERROR + "\n" + kind.plural() + " \"" + name + "\" not found" + where + "; 'dualstackd get "
                + kind.plural() + (kind.namespaced() ? " -A" : "") + "' lists all\n";
    }
}
