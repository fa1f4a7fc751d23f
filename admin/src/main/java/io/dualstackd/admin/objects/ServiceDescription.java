package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A description of one Service, in the lines of {@code kubectl describe}, followed by its problems. */
public final class ServiceDescription {
    private static final int WIDTH = 26;
    private static final String NONE = "<none>";

    private final ObjectsReport report;
    private final KnownObject service;
    private final List<FamilyEndpoints> families;
    private final NothingLocal local;
    private final StringBuilder text = new StringBuilder();

    private ServiceDescription(ObjectsReport report, KnownObject service) {
        this.report = report;
        this.service = report.whole().described(service);
        List<KnownObject> slices = report.slicesOf(service.namespace(), service.name());
        local = NothingLocal.of(report, service.namespace(), service.name());
        families = Stream.of(IpFamily.values())
                .filter(family -> uses(service, family))
                .map(family -> FamilyEndpoints.of(family, slices))
                .toList();
    }

    /**
     * A description.
     *
     * @param healthy whether nothing is wrong
     */
    public record Result(String text, boolean healthy) {}

    /** Describes a Service; empty when no source mentions it, not even a file that is refused. */
    public static Optional<Result> of(ObjectsReport report, String namespace, String name) {
        List<String> written = ServiceProblems.written(report, namespace, name);
        Optional<KnownObject> service = report.all(ObjectKind.SERVICES).stream()
                .filter(one -> one.namespace().equals(namespace) && one.name().equals(name))
                .findFirst();
        if (service.isEmpty()) {
            return written.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Result(notInForce(report, namespace, name, written), false));
        }
        return Optional.of(new ServiceDescription(report, service.get()).describe(written));
    }

    private static String notInForce(ObjectsReport report, String namespace, String name, List<String> written) {
        StringBuilder text = new StringBuilder();
        line(text, "Name", name);
        line(text, "Namespace", namespace);
        events(text, report, namespace, name);
        line(text, "Problems", "It is not in force.");
        written.forEach(warning -> line(text, "", warning));
        return text.toString();
    }

    private Result describe(List<String> written) {
        line("Name", service.name());
        line("Namespace", service.namespace());
        labels("Labels", "labels");
        labels("Annotations", "annotations");
        line("Selector", Columns.selector(service));
        line("Type", service.text("spec", "type"));
        unlessEmpty("IP Family Policy", service.text("spec", "ipFamilyPolicy"));
        line("IP Families", listed(service.words("spec", "ipFamilies")));
        line("IP", service.text("spec", "clusterIP"));
        line("IPs", listed(service.words("spec", "clusterIPs")));
        addresses();
        service.items("spec", "ports").forEach(this::port);
        unlessEmpty("Session Affinity", service.text("spec", "sessionAffinity"));
        unlessEmpty("External Traffic Policy", service.text("spec", "externalTrafficPolicy"));
        unlessEmpty("Internal Traffic Policy", service.text("spec", "internalTrafficPolicy"));
        unlessEmpty("HealthCheck NodePort", service.text("spec", "healthCheckNodePort"));
        families.forEach(family -> {
            line("Endpoints (" + family.family() + ")", listed(family.ready()));
            if (!family.notReady().isEmpty()) {
                line("Not ready (" + family.family() + ")", listed(family.notReady()));
            }
            List<String> dropped = local.words(family.family());
            if (!dropped.isEmpty()) {
                line("Nothing local (" + family.family() + ")", dropped.getFirst());
                dropped.stream().skip(1).forEach(more -> line("", more));
            }
        });
        events(text, report, service.namespace(), service.name());
        List<String> warnings = new ArrayList<>(written);
        warnings.addAll(ServiceProblems.inForce(report, service, families));
        warnings.addAll(local.warnings());
        line("Problems", warnings.isEmpty() ? NONE : warnings.getFirst());
        warnings.stream().skip(1).forEach(warning -> line("", warning));
        return new Result(text.toString(), warnings.isEmpty());
    }

    /** Whether it serves this family; a headless Service lists the families whose addresses DNS returns. */
    private static boolean uses(KnownObject service, IpFamily family) {
        List<String> families = service.words("spec", "ipFamilies");
        List<String> ips = service.words("spec", "clusterIPs");
        return families.isEmpty()
                ? ips.stream().anyMatch(ip -> !ip.equals("None") && (ip.indexOf(':') >= 0) == (family == IpFamily.IPV6))
                : families.contains(family.toString());
    }

    private void addresses() {
        unlessEmpty("External Name", service.text("spec", "externalName"));
        List<String> external = service.words("spec", "externalIPs");
        if (!external.isEmpty()) {
            line("External IPs", listed(external));
        }
        List<String> ingress = service.items("status", "loadBalancer", "ingress").stream()
                .map(entry -> Stream.of("ip", "hostname")
                        .map(name -> KnownObject.text(entry, name))
                        .filter(word -> !word.isEmpty())
                        .findFirst()
                        .orElse(""))
                .toList();
        if (!ingress.isEmpty()) {
            line("LoadBalancer Ingress", listed(ingress));
        }
        List<String> ranges = service.words("spec", "loadBalancerSourceRanges");
        if (!ranges.isEmpty()) {
            line("LoadBalancer Source Ranges", listed(ranges));
        }
    }

    private void port(Tree port) {
        String name = KnownObject.text(port, "name");
        String protocol = "/" + KnownObject.text(port, "protocol");
        String shown = name.isEmpty() ? "<unset>" : name;
        line("Port", shown + "  " + KnownObject.text(port, "port") + protocol);
        String target = KnownObject.text(port, "targetPort");
        if (!target.isEmpty()) {
            line("TargetPort", target + protocol);
        }
        String nodePort = KnownObject.text(port, "nodePort");
        if (!nodePort.isEmpty() && !nodePort.equals("0")) {
            line("NodePort", shown + "  " + nodePort + protocol);
        }
        line(
                "Endpoints",
                few(families.stream()
                        .flatMap(family -> family.targets(name).stream())
                        .toList()));
    }

    private static void events(StringBuilder text, ObjectsReport report, String namespace, String name) {
        DescriptionText events = new DescriptionText(WIDTH);
        events.events(report, ObjectKind.SERVICES, namespace, name);
        text.append(events);
    }

    private void labels(String title, String field) {
        List<String> pairs = service.at("metadata", field)
                .map(value -> value instanceof Tree.Mapping(Map<String, Tree> entries, int line, var _)
                        ? entries.entrySet().stream()
                                .map(entry -> Problem.shown(entry.getKey()
                                        + (field.equals("labels") ? "=" : ": ")
                                        + KnownObject.word(entry.getValue())))
                                .toList()
                        : List.<String>of())
                .orElse(List.of());
        line(title, pairs.isEmpty() ? NONE : pairs.getFirst());
        pairs.stream().skip(1).forEach(pair -> line("", pair));
    }

    private void unlessEmpty(String name, String value) {
        if (!value.isEmpty()) {
            line(name, value);
        }
    }

    private static String few(List<String> all) {
        int named = 6;
        String shown = listed(all.stream().limit(named).toList());
        return all.size() > named ? shown + " + " + (all.size() - named) + " more..." : shown;
    }

    private static String listed(List<String> all) {
        return all.isEmpty() ? NONE : String.join(",", all);
    }

    private void line(String name, String value) {
        line(text, name, value);
    }

    private static void line(StringBuilder text, String name, String value) {
        String head = name.isEmpty() ? "" : name + ":";
        text.append((head + " ".repeat(Math.max(1, WIDTH - head.length())) + value).stripTrailing())
                .append('\n');
    }
}
