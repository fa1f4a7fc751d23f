package io.dualstackd.pods.endpoint;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.pods.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** An index of the Services that may select a pod, by one label of the selector, so that a pod costs its labels and not all Services. */
final class SelectorIndex {
    private record Hook(String namespace, String label, String value) {}

    private final Map<Hook, Set<ServiceKey>> byHook = new HashMap<>();

    void add(ServiceKey service, PodSelector selector) {
        byHook.computeIfAbsent(hook(service, selector), hook -> new HashSet<>()).add(service);
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
