package io.dualstackd.bench;

import io.dualstackd.dataplane.io.WantedServices;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.model.ServiceView;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What is wanted, made beforehand, so that making it is not measured. */
final class Views implements WantedServices {
    private final Map<ServiceKey, ServiceView> views = new HashMap<>();

    void put(Map<ServiceKey, Optional<ServiceView>> changes) {
        changes.forEach((key, view) -> {
            if (view.isPresent()) {
                views.put(key, view.get());
            } else {
                views.remove(key);
            }
        });
    }

    @Override
    public Optional<ServiceView> find(ServiceKey key) {
        return Optional.ofNullable(views.get(key));
    }

    @Override
    public void forEach(Consumer<ServiceView> each) {
        views.values().forEach(each);
    }
}
