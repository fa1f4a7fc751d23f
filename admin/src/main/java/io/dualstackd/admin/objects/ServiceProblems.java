package io.dualstackd.admin.objects;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Why a Service does not work, or not as intended: whole sentences, each with what to do next. */
final class ServiceProblems {
    private ServiceProblems() {}

    /** Problems of the texts that mention a Service, whether it is in force or not. */
    static List<String> written(ObjectsReport report, String namespace, String name) {
        String key = new ObjectKey(ObjectKey.Kind.SERVICE, namespace, name).toString();
        return report.problems().stream()
                .filter(problem -> problem.object().equals(key))
                .map(problem -> problem.isError()
                        ? "Refused, the previous version stays in force: " + bare(problem, key) + ". Correct the "
                                + (report.whole().areElsewhere()
                                        ? "object with kubectl."
                                        : "file; it is read again at once.")
                        : ended(bare(problem, key)))
                .toList();
    }

    /** As a sentence; one that ends in a suggestion has its mark. */
    private static String ended(String text) {
        return text.endsWith("?") ? text : text + ".";
    }

    /** The problem without the name of the Service, which is printed above. */
    private static String bare(Problem problem, String key) {
        String text = problem.toString();
        String end = " (" + key + ")";
        return text.endsWith(end) ? text.substring(0, text.length() - end.length()) : text;
    }

    /** Problems of a Service that is in force. */
    static List<String> inForce(ObjectsReport report, KnownObject service, List<FamilyEndpoints> families) {
        List<String> troubles = new ArrayList<>();
        String type = service.text("spec", "type");
        Optional<Tree> proxy = service.at("metadata", "labels", Service.PROXY_NAME_LABEL);
        // Whatever its value is, also an empty one.
        if (proxy.isPresent()) {
            troubles.add("The label " + Service.PROXY_NAME_LABEL + "=" + KnownObject.word(proxy.get())
                    + " leaves it to another proxy; remove the label if this node is to serve it.");
        }
        if (type.equals("ExternalName")) {
            return troubles;
        }
        boolean headless = service.text("spec", "clusterIP").equals("None");
        if (!headless && service.items("spec", "clusterIPs").isEmpty()) {
            troubles.add(noAddress(report));
        }
        families.forEach(family -> troubles.addAll(endpoints(report, service, family, headless)));
        String kernel = report.leftOut().get(new ServiceKey(service.namespace(), service.name()));
        if (kernel != null) {
            troubles.add("The kernel refuses its rules: " + kernel
                    + ". It is tried again when it changes, and every few" + " minutes.");
        }
        return troubles;
    }

    private static String noAddress(ObjectsReport report) {
        if (report.whole().areElsewhere()) {
            return "It has no cluster IP; the API server assigns one ('kubectl describe service').";
        }
        return report.ledger().isPresent()
                ? "It waits for an address; it gets one as soon as one is free or a ServiceCIDR is added"
                        + " ('dualstackd get servicecidrs')."
                : "It has no cluster IP, and none is assigned here; write spec.clusterIP, or start the"
                        + " daemon with --service-cluster-ip-range.";
    }

    private static List<String> endpoints(
            ObjectsReport report, KnownObject service, FamilyEndpoints endpoints, boolean headless) {
        String family = endpoints.family().toString();
        String selector = Columns.selector(service);
        String refused = headless ? "" : ": connections are refused";
        if (endpoints.ready().isEmpty()) {
            if (!endpoints.leaving().isEmpty() && !headless) {
                return List.of(
                        "No endpoint is ready on " + family + "; connections go to those that terminate, as long as"
                                + " they serve: " + String.join(", ", endpoints.leaving()) + ".");
            }
            if (!endpoints.notReady().isEmpty()) {
                return List.of("No endpoint is ready on " + family + refused + " (not ready: "
                        + String.join(", ", endpoints.notReady()) + ").");
            }
            String what;
            if (selector.equals("<none>")) {
                what = "It has no selector; write an EndpointSlice with addressType " + family + ".";
            } else if (report.whole().areElsewhere()) {
                // Whether or not a container runtime is followed here, endpoints come from the API server.
                what = "The API server lists no " + family + " endpoint for it; see 'kubectl get endpointslices -n "
                        + service.namespace() + " -l " + StoredObjects.OWNER_LABEL + "=" + service.name()
                        + "', and whether the pods with " + selector + " have " + family + " addresses.";
            } else if (report.generatedSlices().isPresent()) {
                what = "No running pod of this node with " + selector + " has an " + family
                        + " address ('dualstackd pods -o wide').";
            } else {
                what =
                        "Pods are not known here; start the daemon with --cri, or write an EndpointSlice with addressType "
                                + family + ".";
            }
            return List.of("No endpoint on " + family + refused + ". " + what);
        }
        return service.items("spec", "ports").stream()
                .map(port -> KnownObject.text(port, "name"))
                .filter(name -> endpoints.targets(name).isEmpty())
                .map(name -> "No endpoint on " + family + " has the port "
                        + (name.isEmpty() ? "without a name" : "\"" + name + "\"") + ": connections to it are refused.")
                .toList();
    }
}
