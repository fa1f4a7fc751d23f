package io.dualstackd.standalone.manifest;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.Endpoints;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Mirrors Endpoints of files into EndpointSlices, as long as their Service is in force and has no selector; the slices of a Service with
 * one are made of pods. Everything else goes through to the next stage.
 */
public final class EndpointsMirror implements AdmissionStage {
    private final AdmissionStage next;
    private final Map<ObjectKey, Endpoints> written = new TreeMap<>();
    /** Whether a Service in force has a selector; absent for one that is not there. */
    private final Map<ObjectKey, Boolean> selectors = new HashMap<>();
    /** The slices in force. */
    private final Map<ObjectKey, Map<ObjectKey, EndpointSlice>> generated = new HashMap<>();

    public EndpointsMirror(AdmissionStage next) {
        this.next = next;
    }

    private static boolean isOurs(Update update) {
        return update.key().kind() == ObjectKey.Kind.ENDPOINTS;
    }

    private static List<Update> others(List<Update> updates) {
        return updates.stream().noneMatch(EndpointsMirror::isOurs)
                ? updates
                : updates.stream().filter(update -> !isOurs(update)).toList();
    }

    @Override
    public List<Update> admit(List<Update> updates) {
        Set<ObjectKey> touched = new TreeSet<>();
        for (Update update : updates) {
            if (isOurs(update)) {
                touched.add(update.key());
                if (update instanceof Update.Put(Endpoints endpoints)) {
                    written.put(update.key(), endpoints);
                } else {
                    written.remove(update.key());
                }
            }
        }
        return mirrored(next.admit(others(updates)), touched);
    }

    @Override
    public List<Update> retain(Predicate<ObjectKey> claimed) {
        return mirrored(next.retain(claimed), new TreeSet<>());
    }

    /** Adds to the updates of other objects those of the slices that change. */
    private List<Update> mirrored(List<Update> updates, Set<ObjectKey> touched) {
        for (Update update : updates) {
            if (update.key().kind() == ObjectKey.Kind.SERVICE) {
                Boolean before = update instanceof Update.Put(Service service)
                        ? selectors.put(update.key(), service.selector().isPresent())
                        : selectors.remove(update.key());
                if (!Optional.ofNullable(before).equals(Optional.ofNullable(selectors.get(update.key())))) {
                    touched.add(endpointsOf(update.key()));
                }
            }
        }
        if (touched.isEmpty()) {
            return updates;
        }
        List<Update> all = new ArrayList<>(updates);
        touched.forEach(key -> refresh(key, all));
        return all;
    }

    private static ObjectKey endpointsOf(ObjectKey service) {
        return new ObjectKey(ObjectKey.Kind.ENDPOINTS, service.namespace(), service.name());
    }

    private void refresh(ObjectKey key, List<Update> to) {
        Map<ObjectKey, EndpointSlice> before = generated.getOrDefault(key, Map.of());
        Map<ObjectKey, EndpointSlice> now = new LinkedHashMap<>();
        Endpoints endpoints = written.get(key);
        if (endpoints != null && isMirrored(endpoints)) {
            MirroredSlices.of(endpoints).forEach(slice -> now.put(slice.key(), slice));
        }
        now.forEach((name, slice) -> {
            if (!slice.equals(before.get(name))) {
                to.add(new Update.Put(slice));
            }
        });
        before.keySet().stream().filter(name -> !now.containsKey(name)).forEach(name -> to.add(new Update.Gone(name)));
        if (now.isEmpty()) {
            generated.remove(key);
        } else {
            generated.put(key, now);
        }
    }

    private boolean isMirrored(Endpoints endpoints) {
        return endpoints.mirrored() && Boolean.FALSE.equals(selectors.get(serviceOf(endpoints)));
    }

    private static ObjectKey serviceOf(Endpoints endpoints) {
        return new ObjectKey(ObjectKey.Kind.SERVICE, endpoints.namespace(), endpoints.name());
    }

    @Override
    public List<Problem> dryRun(List<Update> updates, Function<ObjectKey, Optional<LocatedObject>> places) {
        return next.dryRun(others(updates), places);
    }

    @Override
    public List<Update> wouldPut(List<Update> updates) {
        return next.wouldPut(others(updates));
    }

    @Override
    public Optional<Tree.Mapping> recorded(ObjectKey key) {
        return next.recorded(key);
    }

    @Override
    public boolean isReady() {
        return next.isReady();
    }

    @Override
    public boolean isGenerated(ObjectKey key) {
        return next.isGenerated(key);
    }

    @Override
    public List<Problem> problems(Function<ObjectKey, Optional<LocatedObject>> places) {
        List<Problem> problems = new ArrayList<>(next.problems(places));
        written.forEach((key, endpoints) -> why(endpoints)
                .ifPresent(rule -> problems.add(new Problem(
                        Problem.Severity.WARNING,
                        places.apply(key).map(LocatedObject::place).orElseGet(() -> Place.InFile.whole("?")),
                        key.toString(),
                        "",
                        rule))));
        return problems;
    }

    /** Why Endpoints that are meant to be mirrored are not, or not all of them. */
    private Optional<String> why(Endpoints endpoints) {
        if (!endpoints.mirrored()) {
            return Optional.empty();
        }
        Boolean selector = selectors.get(serviceOf(endpoints));
        if (selector == null) {
            return Optional.of("there is no Service of this name in force, so no EndpointSlice is made of it");
        }
        if (selector) {
            return Optional.of("its Service has a selector, so its endpoints are pods and this object is not used;"
                    + " remove one of the two");
        }
        int leftOut = MirroredSlices.leftOut(endpoints);
        return leftOut == 0
                ? Optional.empty()
                : Optional.of(leftOut + " addresses are left out: of each subset, the first " + MirroredSlices.MOST
                        + " are mirrored; write EndpointSlices");
    }
}
