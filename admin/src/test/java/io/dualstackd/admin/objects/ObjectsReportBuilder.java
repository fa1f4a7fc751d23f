package io.dualstackd.admin.objects;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.ServiceCidr;
import io.dualstackd.kubeapi.store.ServiceState;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.pods.endpoint.GeneratedSlice;
import io.dualstackd.standalone.ledger.Event;
import io.dualstackd.standalone.ledger.LedgerView;
import io.dualstackd.standalone.manifest.io.ManifestFolder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds an {@link ObjectsReport} of node {@code n1} for a test, from one without pods, ledger and problems. */
public final class ObjectsReportBuilder {
    private final List<ServiceState> services;
    private final WholeObjects whole;
    private Optional<List<GeneratedSlice>> generated = Optional.empty();
    private List<ServiceCidr> cidrs = List.of();
    private Optional<LedgerView> ledger = Optional.empty();
    private List<Event> events = List.of();
    private List<Problem> problems = List.of();
    private Map<ServiceKey, String> leftOut = Map.of();
    private Instant madeAt = Instant.EPOCH;

    private ObjectsReportBuilder(List<ServiceState> services, WholeObjects whole) {
        this.services = services;
        this.whole = whole;
    }

    public static ObjectsReportBuilder services(List<ServiceState> services, WholeObjects whole) {
        return new ObjectsReportBuilder(services, whole);
    }

    /** The objects of a store that a folder of manifests fills. */
    public static ObjectsReportBuilder manifests(Store store, ManifestFolder folder) {
        return services(store.services(), WholeObjects.ofManifests(folder.texts(), folder.since()))
                .cidrs(store.serviceCidrs())
                .problems(folder.problems());
    }

    public ObjectsReportBuilder generated(Optional<List<GeneratedSlice>> values) {
        generated = values;
        return this;
    }

    public ObjectsReportBuilder cidrs(List<ServiceCidr> values) {
        cidrs = values;
        return this;
    }

    public ObjectsReportBuilder ledger(Optional<LedgerView> value) {
        ledger = value;
        return this;
    }

    /** Where there is no ledger; with one, its events. */
    public ObjectsReportBuilder events(List<Event> values) {
        events = values;
        return this;
    }

    public ObjectsReportBuilder problems(List<Problem> values) {
        problems = values;
        return this;
    }

    public ObjectsReportBuilder leftOut(Map<ServiceKey, String> values) {
        leftOut = values;
        return this;
    }

    public ObjectsReportBuilder madeAt(Instant value) {
        madeAt = value;
        return this;
    }

    public ObjectsReport report() {
        List<Event> all = ledger.map(LedgerView::events).orElse(events);
        return new ObjectsReport(
                services,
                generated,
                cidrs,
                ledger,
                all,
                problems,
                leftOut,
                "n1",
                madeAt,
                key -> Optional.empty(),
                whole);
    }
}
