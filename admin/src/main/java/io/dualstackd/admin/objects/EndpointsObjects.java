package io.dualstackd.admin.objects;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.standalone.manifest.MirroredSlices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Endpoints of Services, derived from their slices: those written as Endpoints with both families, all others with the first family. */
final class EndpointsObjects {
    private EndpointsObjects() {}

    static List<KnownObject> of(List<KnownObject> services, List<KnownObject> slices) {
        Map<String, List<KnownObject>> byOwner = new HashMap<>();
        for (KnownObject slice : slices) {
            String owner = slice.namespace() + "/" + slice.text("metadata", "labels", StoredObjects.OWNER_LABEL);
            byOwner.computeIfAbsent(owner, _ -> new ArrayList<>()).add(slice);
        }
        List<KnownObject> all = new ArrayList<>();
        for (KnownObject service : services) {
            List<KnownObject> own = byOwner.getOrDefault(service.namespace() + "/" + service.name(), List.of());
            if (!own.isEmpty() || service.at("spec", "selector").isPresent()) {
                all.add(of(service, own));
            }
        }
        return all;
    }

    private static KnownObject of(KnownObject service, List<KnownObject> slices) {
        List<KnownObject> written =
                slices.stream().filter(EndpointsObjects::isMirrored).toList();
        String family = service.words("spec", "ipFamilies").stream()
                .findFirst()
                .or(() ->
                        slices.stream().map(slice -> slice.text("addressType")).findFirst())
                .orElse("");
        List<Tree.Mapping> subsets = (written.isEmpty() ? slices.stream() : written.stream())
                .filter(slice -> !written.isEmpty() || slice.text("addressType").equals(family))
                .map(EndpointsObjects::subset)
                .filter(subset -> !subset.entries().isEmpty())
                .toList();
        Tree.Mapping object = StoredObjects.head(ObjectKind.ENDPOINTS, service.namespace(), service.name());
        return new KnownObject(
                ObjectKind.ENDPOINTS,
                service.namespace(),
                service.name(),
                Optional.empty(),
                subsets.isEmpty() ? object : object.with("subsets", subsets),
                written.isEmpty());
    }

    private static boolean isMirrored(KnownObject slice) {
        return slice.text("metadata", "labels", StoredObjects.MANAGER_LABEL).equals(MirroredSlices.MANAGER);
    }

    private static Tree.Mapping subset(KnownObject slice) {
        List<Tree.Mapping> ready = addresses(slice, true);
        List<Tree.Mapping> notReady = addresses(slice, false);
        if (ready.isEmpty() && notReady.isEmpty()) {
            return Tree.object();
        }
        Tree.Mapping subset = Tree.object();
        if (!ready.isEmpty()) {
            subset = subset.with("addresses", ready);
        }
        if (!notReady.isEmpty()) {
            subset = subset.with("notReadyAddresses", notReady);
        }
        return subset.with("ports", slice.items("ports"));
    }

    private static List<Tree.Mapping> addresses(KnownObject slice, boolean ready) {
        List<Tree.Mapping> addresses = new ArrayList<>();
        for (Tree endpoint : slice.items("endpoints")) {
            boolean isReady = !KnownObject.text(endpoint, "conditions", "ready").equals("false");
            String node = KnownObject.text(endpoint, "nodeName");
            for (Tree address : KnownObject.items(endpoint, "addresses")) {
                if (isReady == ready) {
                    Tree.Mapping shown = Tree.object("ip", KnownObject.word(address));
                    addresses.add(node.isEmpty() ? shown : shown.with("nodeName", node));
                }
            }
        }
        return addresses;
    }
}
