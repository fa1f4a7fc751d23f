package io.dualstackd.agent.pod.endpoint;

import io.dualstackd.agent.api.EndpointSlice;
import io.dualstackd.agent.api.ObjectKey;
import io.dualstackd.agent.api.Service;
import io.dualstackd.agent.pod.Pod;
import io.dualstackd.agent.pod.Pods;
import io.dualstackd.agent.source.Update;
import io.dualstackd.dataplane.model.ServiceKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Keeps the slices of all Services with a selector. A changed Service costs this node's pods, a changed pod the Services that mean it.
 *
 * <p>Slices of sources stay beside them, as in a cluster slices written by hand stay beside the controller's.
 */
final class SelectorEndpoints {
    private final String node;
    private final Map<ServiceKey, Service> services = new HashMap<>();
    private final SelectorIndex index = new SelectorIndex();
    private final Map<ServiceKey, List<EndpointSlice>> made = new HashMap<>();
    private Pods pods = Pods.NONE;

    /** @param node this node's name, where all these endpoints are */
    SelectorEndpoints(String node) {
        this.node = node;
    }

    /** A source has news. */
    List<Update> sources(List<Update> updates) {
        List<Update> derived = new ArrayList<>();
        for (Update update : updates) {
            switch (update) {
                case Update.Put(Service service) -> {
                    ServiceKey key = new ServiceKey(service.namespace(), service.name());
                    forget(key);
                    service.selector().ifPresent(selector -> {
                        services.put(key, service);
                        index.add(key, selector);
                    });
                    derived.addAll(make(key));
                }
                case Update.Gone(ObjectKey object)
                when object.kind() == ObjectKey.Kind.SERVICE -> {
                    ServiceKey key = new ServiceKey(object.namespace(), object.name());
                    forget(key);
                    derived.addAll(make(key));
                }
                case Update.Put ignored -> {}
                case Update.Gone ignored -> {}
            }
        }
        return derived;
    }

    private void forget(ServiceKey key) {
        Service before = services.remove(key);
        if (before != null) {
            before.selector().ifPresent(selector -> index.remove(key, selector));
        }
    }

    /** The runtime has news. */
    List<Update> pods(Pods now) {
        Map<String, Pod> before = byUid(pods);
        Map<String, Pod> after = byUid(now);
        pods = now;
        Set<ServiceKey> affected = new TreeSet<>();
        before.forEach((uid, pod) -> {
            if (!pod.equals(after.get(uid))) {
                index.candidates(pod).forEach(affected::add);
            }
        });
        after.forEach((uid, pod) -> {
            if (!pod.equals(before.get(uid))) {
                index.candidates(pod).forEach(affected::add);
            }
        });
        return affected.stream().flatMap(key -> make(key).stream()).toList();
    }

    private static Map<String, Pod> byUid(Pods pods) {
        return pods.all().stream().collect(Collectors.toMap(Pod::uid, Function.identity()));
    }

    /** The difference between the slices that were made of a Service and those there are now. */
    private List<Update> make(ServiceKey key) {
        List<EndpointSlice> before = made.getOrDefault(key, List.of());
        List<EndpointSlice> now = slices(key);
        List<Update> updates = new ArrayList<>();
        now.stream()
                .filter(slice -> !before.contains(slice))
                .map(Update.Put::new)
                .forEach(updates::add);
        Set<ObjectKey> names = now.stream().map(EndpointSlice::key).collect(Collectors.toSet());
        before.stream()
                .map(EndpointSlice::key)
                .filter(name -> !names.contains(name))
                .map(Update.Gone::new)
                .forEach(updates::add);
        if (now.isEmpty()) {
            made.remove(key);
        } else {
            made.put(key, now);
        }
        return updates;
    }

    private List<EndpointSlice> slices(ServiceKey key) {
        Service service = services.get(key);
        if (service == null || service.selector().isEmpty()) {
            return List.of();
        }
        var selector = service.selector().get();
        List<Pod> chosen = pods.all().stream()
                .filter(pod -> pod.namespace().equals(key.namespace()) && selector.matches(pod.labels()))
                .toList();
        return new PodSlices(service, selector, node).of(chosen);
    }
}
