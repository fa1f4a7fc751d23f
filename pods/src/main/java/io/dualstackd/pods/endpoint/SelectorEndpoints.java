package io.dualstackd.pods.endpoint;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.kubeapi.objects.Service;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.pods.Pod;
import io.dualstackd.pods.Pods;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Maintains the slices of all Services with a selector. A changed Service costs this node's pods, a changed pod the Services that select
 * it.
 *
 * <p>Slices of sources stay beside them, as in a cluster manually written slices stay beside the controller's.
 */
final class SelectorEndpoints {
    private final String node;
    private final Map<ServiceKey, Service> services = new HashMap<>();
    private final SelectorIndex index = new SelectorIndex();
    /** May be read by other threads. */
    private final Map<ServiceKey, Generated> generated = new ConcurrentHashMap<>();
    /** By object. The store may fail before it takes them. */
    private final Map<ObjectKey, Update> undelivered = new LinkedHashMap<>();

    private Pods pods = Pods.NONE;

    /** The slices generated for one Service. */
    private record Generated(boolean headless, List<SliceDraft> drawers) {
        static final Generated NOTHING = new Generated(false, List.of());

        Generated {
            drawers = List.copyOf(drawers);
        }
    }

    /** @param node this node's name, set on all these endpoints */
    SelectorEndpoints(String node) {
        this.node = node;
    }

    /** Applies changes of sources. */
    List<Update> sources(List<Update> updates) {
        for (Update update : updates) {
            switch (update) {
                case Update.Put(Service service) -> {
                    ServiceKey key = new ServiceKey(service.namespace(), service.name());
                    forget(key);
                    service.selector().ifPresent(selector -> {
                        services.put(key, service);
                        index.add(key, selector);
                    });
                    make(key);
                }
                case Update.Gone(ObjectKey object)
                when object.kind() == ObjectKey.Kind.SERVICE -> {
                    ServiceKey key = new ServiceKey(object.namespace(), object.name());
                    forget(key);
                    make(key);
                }
                case Update.Put _, Update.Gone _ -> {}
            }
        }
        return List.copyOf(undelivered.values());
    }

    /** The store has these updates. */
    void delivered(List<Update> updates) {
        updates.forEach(update -> undelivered.remove(update.key(), update));
    }

    private void forget(ServiceKey key) {
        Service before = services.remove(key);
        if (before != null) {
            before.selector().ifPresent(selector -> index.remove(key, selector));
        }
    }

    /** Applies a change of the pods. */
    List<Update> pods(Pods listed) {
        Pods now = listed.reachable();
        Map<PodRef, Pod> before = byRef(pods);
        Map<PodRef, Pod> after = byRef(now);
        Set<ServiceKey> affected = new TreeSet<>();
        before.forEach((ref, pod) -> {
            if (!pod.equals(after.get(ref))) {
                index.candidates(pod).forEach(affected::add);
            }
        });
        after.forEach((ref, pod) -> {
            if (!pod.equals(before.get(ref))) {
                index.candidates(pod).forEach(affected::add);
            }
        });
        Pods last = pods;
        pods = now;
        try {
            affected.forEach(this::make);
        } catch (RuntimeException e) {
            // Passed on again, the change must have the same effect.
            pods = last;
            throw e;
        }
        return List.copyOf(undelivered.values());
    }

    /** A uid alone does not identify a pod: where there is no kubelet, two pods may have the same one, or none. */
    private static Map<PodRef, Pod> byRef(Pods pods) {
        return pods.all().stream().collect(Collectors.toMap(PodRef::of, Function.identity()));
    }

    /** All generated slices, ordered by namespace and name; may be called from any thread. */
    List<GeneratedSlice> slices(String zone) {
        List<GeneratedSlice> slices = new ArrayList<>();
        generated.forEach((key, of) -> of.drawers.forEach(sliceDraft -> slices.add(new GeneratedSlice(
                PodSlices.slice(key, of.headless, sliceDraft),
                sliceDraft.members().stream().map(SliceDraft.Member::pod).toList(),
                zone))));
        slices.sort(Comparator.comparing((GeneratedSlice one) -> one.slice().namespace())
                .thenComparing(one -> one.slice().name()));
        return List.copyOf(slices);
    }

    /** Adds the difference between the slices generated before for a Service and the current ones to what is to be delivered. */
    private void make(ServiceKey key) {
        Generated before = generated.getOrDefault(key, Generated.NOTHING);
        Generated now = next(key, before.drawers);
        List<Update> updates = new ArrayList<>();
        Set<ObjectKey> names = new HashSet<>();
        for (SliceDraft sliceDraft : now.drawers) {
            EndpointSlice slice = stored(key, now.headless, sliceDraft);
            names.add(slice.key());
            if (before.headless != now.headless || !before.drawers.contains(sliceDraft)) {
                updates.add(new Update.Put(slice));
            }
        }
        for (SliceDraft sliceDraft : before.drawers) {
            ObjectKey name = stored(key, before.headless, sliceDraft).key();
            if (!names.contains(name)) {
                updates.add(new Update.Gone(name));
            }
        }
        if (now.drawers.isEmpty()) {
            generated.remove(key);
        } else {
            generated.put(key, now);
        }
        updates.forEach(update -> {
            undelivered.remove(update.key());
            undelivered.put(update.key(), update);
        });
    }

    private static EndpointSlice stored(ServiceKey key, boolean headless, SliceDraft sliceDraft) {
        EndpointSlice slice = PodSlices.slice(key, headless, sliceDraft);
        return new EndpointSlice(
                slice.namespace(),
                storedName(key, slice) + GeneratedSlice.MARK,
                slice.service(),
                slice.headless(),
                slice.addressType(),
                slice.ports(),
                slice.endpoints(),
                slice.triggerTime());
    }

    /** A name that was shortened may be that of a slice of another Service. */
    private static String storedName(ServiceKey key, EndpointSlice slice) {
        return slice.name().startsWith(key.name() + "-")
                ? slice.name()
                : slice.name() + GeneratedSlice.MARK + key.name();
    }

    private Generated next(ServiceKey key, List<SliceDraft> before) {
        Service service = services.get(key);
        if (service == null || service.selector().isEmpty()) {
            return Generated.NOTHING;
        }
        var selector = service.selector().get();
        List<Pod> chosen = pods.all().stream()
                .filter(pod -> pod.namespace().equals(key.namespace()) && selector.matches(pod.labels()))
                .toList();
        PodSlices slices = new PodSlices(service, selector, node);
        return new Generated(slices.isHeadless(), slices.next(before, chosen));
    }

    /** An index of the Services that may select a pod, by one label of the selector, so that a pod costs its labels and not all Services. */
    private static final class SelectorIndex {
        private record Hook(String namespace, String label, String value) {}

        private final Map<Hook, Set<ServiceKey>> byHook = new HashMap<>();

        void add(ServiceKey service, PodSelector selector) {
            byHook.computeIfAbsent(hook(service, selector), hook -> new HashSet<>())
                    .add(service);
        }

        void remove(ServiceKey service, PodSelector selector) {
            byHook.computeIfPresent(hook(service, selector), (hook, services) -> {
                services.remove(service);
                return services.isEmpty() ? null : services;
            });
        }

        /** Returns all Services that select this pod, and some that do not. */
        Stream<ServiceKey> candidates(Pod pod) {
            return pod.labels().entrySet().stream()
                    .map(label -> new Hook(pod.namespace(), label.getKey(), label.getValue()))
                    .flatMap(hook -> byHook.getOrDefault(hook, Set.of()).stream());
        }

        private static Hook hook(ServiceKey service, PodSelector selector) {
            Map.Entry<String, String> first = selector.labels().entrySet().stream()
                    .min(Map.Entry.comparingByKey())
                    .orElseThrow();
            return new Hook(service.namespace(), first.getKey(), first.getValue());
        }
    }
}
