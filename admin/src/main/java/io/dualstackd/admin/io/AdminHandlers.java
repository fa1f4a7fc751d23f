package io.dualstackd.admin.io;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.Health;
import io.dualstackd.admin.OwnNode;
import io.dualstackd.admin.StatusJson;
import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.StatusText;
import io.dualstackd.admin.explain.ExplainRequest;
import io.dualstackd.admin.explain.Explainer;
import io.dualstackd.admin.explain.ExplanationJson;
import io.dualstackd.admin.explain.ExplanationText;
import io.dualstackd.admin.explain.ServiceCases;
import io.dualstackd.admin.monitor.LineFilter;
import io.dualstackd.admin.monitor.RecentLog;
import io.dualstackd.admin.objects.Frontends;
import io.dualstackd.admin.objects.KnownObjects;
import io.dualstackd.admin.objects.ObjectsReport;
import io.dualstackd.admin.pods.PodObjects;
import io.dualstackd.admin.pods.PodsReport;
import io.dualstackd.admin.pods.PodsText;
import io.dualstackd.admin.top.TopReport;
import io.dualstackd.admin.top.Traffic;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.explain.Agreement;
import io.dualstackd.explain.Explanation;
import io.dualstackd.explain.HostPath;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.print.YamlPrint;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pods.Pod;
import java.time.DateTimeException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** Answers the requests of the admin socket. */
record AdminHandlers(AdminSources sources) {
    /** Where an API server has the objects. */
    private static final String CLUSTER = "cluster";

    private static final String SINCE = "since-";

    /**
     * Answers {@code status FORMAT}, {@code pods FORMAT}, {@code pod FORMAT NAMESPACE/NAME},
     * {@code trace FORMAT SECONDS COUNT SOURCE DESTINATION [INTERFACE]}, {@code explain FORMAT SOURCE DESTINATION [INTERFACE]}, {@code explain-service FORMAT SOURCE NAMESPACE/NAME[:PORT]},
     * {@code service-list FORMAT NAMESPACE}, {@code top FORMAT NAMESPACE [endpoints]},
     * {@code monitor now|since-SECONDS|NUMBER *|NAMESPACE/|NAMESPACE/NAME} and the requests of {@link ObjectHandlers} and {@link EditHandlers}.
     */
    String to(AdminRequest asked) throws InterruptedException {
        return to(asked, part -> {}, () -> false);
    }

    /**
     * Answers a request.
     *
     * @param parts receives what comes before the text that is returned, part by part
     * @param gone whether the client has disconnected
     */
    String to(AdminRequest asked, Consumer<String> parts, BooleanSupplier gone) throws InterruptedException {
        List<String> words = asked.words();
        return words.getFirst().equals(AdminRequest.TRACE) && words.size() >= 6 && words.size() <= 7
                ? sources.explains().isEmpty()
                        ? unknown(asked.line())
                        : new TraceHandler(sources.explains().get(), parts, gone).answer(words)
                : soon(asked);
    }

    /** Answers requests that take no longer than the kernel or the disk. */
    private String soon(AdminRequest asked) {
        String question = asked.line();
        List<String> words = asked.words();
        String format = words.size() > 1 ? words.get(1) : "";
        String name = words.size() > 2 ? words.get(2) : "";
        return switch (words.getFirst() + " " + words.size()) {
            case "status 2" -> status(format, question);
            case "pods 2" ->
                sources.pods()
                        .get()
                        .map(report -> pods(report, format, question))
                        .orElseGet(AdminHandlers::noRuntime);
            case "pod 3" ->
                sources.pods()
                        .get()
                        .map(report -> pod(report, format, name, question))
                        .orElseGet(AdminHandlers::noRuntime);
            case "get 5" ->
                known().flatMap(objects -> ObjectHandlers.get(objects, words, unread()))
                        .orElseGet(() -> unknown(question));
            case "describe 4" ->
                known().flatMap(objects -> ObjectHandlers.describe(objects, words, unread()))
                        .orElseGet(() -> unknown(question));
            case "monitor 3" -> records(words.get(1), name);
            case "service-list 3",
                    "top 3",
                    "top 4",
                    "explain-service 4",
                    "explain-service 5",
                    "explain 4",
                    "explain 5" ->
                unread().map(why -> AdminClient.ERROR + "\n" + why + "\n").orElseGet(() -> ofServices(asked));
            default ->
                sources.editing()
                        .flatMap(manifestEditor -> EditHandlers.to(asked, manifestEditor, this::absent))
                        .or(() -> noEditing(words))
                        .orElseGet(() -> unknown(question));
        };
    }

    /** Answers requests that only the objects of the whole source can answer. */
    private String ofServices(AdminRequest asked) {
        String question = asked.line();
        List<String> words = asked.words();
        String format = words.get(1);
        String name = words.get(2);
        return switch (words.getFirst() + " " + words.size()) {
            case "service-list 3" ->
                sources.objects()
                        .get()
                        .map(report -> frontends(
                                Frontends.of(report, Optional.of(name).filter(ns -> !ns.equals(ObjectHandlers.ALL))),
                                format,
                                question))
                        .orElseGet(() -> unknown(question));
            case "top 3" -> top(format, name, question, TopReport::frontends);
            case "top 4" ->
                words.get(3).equals("endpoints")
                        ? top(format, name, question, report -> report.endpoints(sources.counts()))
                        : unknown(question);
            case "explain 4", "explain 5" ->
                sources.explains().map(explainer -> explain(explainer, words)).orElseGet(() -> unknown(question));
            default ->
                sources.explains()
                        .flatMap(explainer -> sources.objects().get().map(report -> explain(explainer, report, words)))
                        .orElseGet(() -> unknown(question));
        };
    }

    /** Why it is not known yet which objects there are; empty once the source has been read completely. */
    private Optional<String> unread() {
        StatusReport.Source source = sources.status().get().source();
        return source.synced()
                ? Optional.empty()
                : Optional.of("the source of the objects, " + source.kind() + " " + source.place()
                        + ", has not been read completely yet"
                        + source.error().map(why -> " (" + why + ")").orElse("")
                        + "; the rules in the kernel stay as they were until then; see 'dualstackd status'");
    }

    /** Answers {@code now|since-SECONDS|NUMBER *|NS/|NS/NAME}. */
    private String records(String from, String name) {
        RecentLog log = sources.log();
        LineFilter filter = name.equals(ObjectHandlers.ALL) ? LineFilter.ALL : LineFilter.of(name);
        long number;
        try {
            number = from.equals("now")
                    ? log.next()
                    : from.startsWith(SINCE)
                            ? log.since(sources.status()
                                    .get()
                                    .madeAt()
                                    .minusSeconds(Long.parseLong(from.substring(SINCE.length()))))
                            : Long.parseLong(from);
        } catch (NumberFormatException | DateTimeException | ArithmeticException e) {
            return AdminClient.ERROR + "\n\"" + from + "\": must be now, " + SINCE + "SECONDS or a number\n";
        }
        RecentLog.Batch batch = log.from(number, filter);
        return head(true)
                + JsonPrint.indented(Tree.object("next", batch.next())
                        .with("end", batch.end())
                        .with("lost", batch.lost())
                        .with("lines", batch.lines()));
    }

    private String top(String format, String namespace, String question, Function<TopReport, Tree> part) {
        Optional<ObjectsReport> report = sources.objects().get();
        if (report.isEmpty()) {
            return unknown(question);
        }
        Optional<String> failed = Traffic.refresh(sources.counts());
        if (failed.isPresent()) {
            return AdminClient.ERROR + "\n" + failed.get() + "\n";
        }
        Optional<String> only = Optional.of(namespace).filter(ns -> !ns.equals(ObjectHandlers.ALL));
        TopReport top = TopReport.of(report.get(), only, sources.counts(), sources.flows());
        return tree(head(true), format, part.apply(top), question);
    }

    private Optional<KnownObjects> known() {
        return sources.objects()
                .get()
                .map(report -> new KnownObjects(
                        report,
                        sources.pods().get(),
                        OwnNode.of(sources.status().get())));
    }

    private String absent(ObjectKey key) {
        return known().map(objects -> ObjectHandlers.absent(objects, key)).orElse(key + " is in no manifest");
    }

    /** Refuses a request to change objects where another program keeps them. */
    private Optional<String> noEditing(List<String> words) {
        StatusReport.Source source = sources.status().get().source();
        return sources.editing().isEmpty()
                        && source.kind().equals(CLUSTER)
                        && EditHandlers.WORDS.contains(words.getFirst())
                ? Optional.of(AdminClient.ERROR + "\nthis daemon takes its objects from the API server "
                        + source.place() + "; change them there, with kubectl\n")
                : Optional.empty();
    }

    private String status(String format, String question) {
        StatusReport report = sources.status().get();
        Health.Word word = report.health().word();
        String head = word == Health.Word.DEGRADED ? AdminClient.DEGRADED + "\n" : head(word == Health.Word.HEALTHY);
        return switch (format) {
            case "text" -> head + StatusText.of(report);
            default -> tree(head, format, StatusJson.of(report), question);
        };
    }

    private static String explain(Explainer explainer, List<String> words) {
        ExplainRequest explainRequest;
        try {
            explainRequest = ExplainRequest.of(words.subList(2, words.size()));
        } catch (IllegalArgumentException e) {
            return AdminClient.ERROR + "\n" + e.getMessage() + "\n";
        }
        Optional<String> impossible = explainer
                .unserved(explainRequest.destination().family())
                .or(() -> explainRequest.in().flatMap(explainer::missing));
        if (impossible.isPresent()) {
            return AdminClient.ERROR + "\n" + impossible.get() + "\n";
        }
        Explanation explanation = explainer.explain(explainRequest);
        boolean stopped = explanation.fate() instanceof PacketFate.Forwarded
                && explanation.host().filter(HostPath::stops).isPresent();
        String head = head(!stopped && !(explanation.agreement() instanceof Agreement.Differs));
        return words.get(1).equals("text")
                ? head + ExplanationText.of(explanation)
                : tree(head, words.get(1), ExplanationJson.of(explanation), String.join(" ", words));
    }

    private static String frontends(Frontends frontends, String format, String question) {
        String head = head(true);
        return format.equals("text") ? head + frontends.text() : tree(head, format, frontends.tree(), question);
    }

    /** Explains {@code FORMAT SOURCE|- NAMESPACE/NAME[:PORT] [INTERFACE]}. */
    private String explain(Explainer explainer, ObjectsReport report, List<String> words) {
        String[] target = words.get(3).split("[/:]", -1);
        String port = target.length > 2 ? target[2] : "";
        Optional<Service> service = report.services().stream()
                .flatMap(state -> state.service().stream())
                .filter(one -> target.length > 1
                        && one.namespace().equals(target[0])
                        && one.name().equals(target[1]))
                .findFirst();
        if (service.isEmpty()) {
            return AdminClient.ERROR + "\nno Service " + words.get(3)
                    + " is in force; 'dualstackd get services -A' lists all\n";
        }
        Optional<String> addressless = addressless(service.get());
        if (addressless.isPresent()) {
            return AdminClient.ERROR + "\n" + words.get(3) + " " + addressless.get() + "\n";
        }
        Optional<Ip> given;
        try {
            given = words.get(2).equals("-") ? Optional.empty() : Optional.of(Ip.parse(words.get(2)));
        } catch (IllegalArgumentException e) {
            return AdminClient.ERROR + "\n\"" + words.get(2) + "\": the source must be an IP address\n";
        }
        Optional<String> in = words.stream().skip(4).findFirst();
        Optional<String> missing = in.flatMap(explainer::missing);
        if (missing.isPresent()) {
            return AdminClient.ERROR + "\n" + missing.get() + "\n";
        }
        List<Ip> node = sources.status().get().addresses().chosen().stream()
                .filter(address -> address.type().endsWith("IP"))
                .map(address -> Ip.parse(address.address()))
                .toList();
        List<Ip> pods = sources.pods().get().stream()
                .flatMap(known -> known.pods().all().stream())
                .filter(pod -> !pod.onHostNetwork())
                .flatMap(pod -> pod.ips().stream())
                .toList();
        List<ServiceCases.Case> cases = ServiceCases.of(
                        service.get(), port, new ServiceCases.Clients(given, in, pods, explainer::podInterface, node))
                .stream()
                .filter(one ->
                        explainer.unserved(one.request().destination().family()).isEmpty())
                .toList();
        if (cases.isEmpty()) {
            return AdminClient.ERROR + "\n" + words.get(3)
                    + (given.isEmpty()
                            ? " has no such port\n"
                            : " has no such port, or no address of the source's IP family\n");
        }
        ServiceCases explained = new ServiceCases(
                cases.stream()
                        .limit(ServiceCases.MOST)
                        .map(one -> new ServiceCases.Explained(one, explainer.explain(one.request())))
                        .toList(),
                Math.max(0, cases.size() - ServiceCases.MOST));
        String head = head(explained.isGood());
        return words.get(1).equals("text")
                ? head + explained.text()
                : tree(head, words.get(1), explained.tree(), String.join(" ", words));
    }

    /** Why no packet can be sent to a Service. */
    private static Optional<String> addressless(Service service) {
        if (service.type() == Service.Type.EXTERNAL_NAME) {
            return Optional.of("is an ExternalName: it has no address, only DNS leads to " + service.externalName());
        }
        return service.clusterIp() instanceof Service.ClusterIp.None
                ? Optional.of("is headless: it has no address, DNS leads to its endpoints")
                : Optional.empty();
    }

    private static String pods(PodsReport report, String format, String question) {
        String head = head(report.isFresh());
        return switch (format) {
            case "text" -> head + PodsText.table(report, false);
            case "wide" -> head + PodsText.table(report, true);
            default -> tree(head, format, PodObjects.list(report), question);
        };
    }

    private static String pod(PodsReport report, String format, String fullName, String question) {
        Optional<Pod> pod = report.pods().all().stream()
                .filter(one -> one.fullName().equals(fullName))
                .findFirst();
        if (pod.isEmpty()) {
            return AdminClient.ERROR + "\nno pod " + fullName + " on " + report.node() + "\n";
        }
        String head = head(report.isFresh());
        return switch (format) {
            case "text", "wide" -> head + PodsText.description(report, pod.get());
            default -> tree(head, format, PodObjects.one(report, pod.get()), question);
        };
    }

    static String tree(String head, String format, Tree tree, String question) {
        return switch (format) {
            case "json" -> head + JsonPrint.indented(tree);
            case "yaml" -> head + YamlPrint.of(tree);
            default -> unknown(question);
        };
    }

    static String head(boolean well) {
        return (well ? AdminClient.OK : AdminClient.UNHEALTHY) + "\n";
    }

    private static String noRuntime() {
        return AdminClient.ERROR + "\nit follows no container runtime; start it with --cri ENDPOINT\n";
    }

    private static String unknown(String question) {
        return AdminClient.ERROR + "\nunknown question \"" + question
                + "\"; known are: status text|json, pods text|wide|json|yaml, pod text|json|yaml NAMESPACE/NAME, "
                + ObjectHandlers.KNOWN
                + ", service-list text|json|yaml NAMESPACE|*, top json|yaml NAMESPACE|* [endpoints], monitor now|since-SECONDS|NUMBER *|NAMESPACE/|NAMESPACE/NAME, explain-service text|json|yaml SOURCE|-"
                + " NAMESPACE/NAME[:PORT], explain text|json|yaml SOURCE DESTINATION:PORT[/PROTOCOL] [INTERFACE], "
                + "trace live|text|json|yaml SECONDS COUNT SOURCE DESTINATION:PORT[/PROTOCOL] [INTERFACE], "
                + EditHandlers.KNOWN + "\n";
    }
}
