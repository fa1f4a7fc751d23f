package io.dualstackd.pages.ui;

import io.dualstackd.admin.objects.Frontends;
import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.model.Endpoint;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A Service as the page shows it.
 *
 * @param frontends its addresses and ports, and the state of each
 * @param endpoints the number of addresses that take connections, for each family the Service has
 * @param attempts to reach any of its frontends; empty where nothing is counted
 */
public record ServiceRow(
        ServiceKey service,
        List<Frontends.Row> frontends,
        Map<IpFamily, Integer> endpoints,
        Optional<Attempts> attempts) {
    private static final String OK = "ok";

    public ServiceRow {
        frontends = List.copyOf(frontends);
        endpoints = Collections.unmodifiableMap(new LinkedHashMap<>(endpoints));
    }

    /** All Services, in the order of the frontends. */
    public static List<ServiceRow> all(Frontends frontends, IdentityHashMap<Frontends.Row, Attempts> counted) {
        Map<ServiceKey, List<Frontends.Row>> services = new LinkedHashMap<>();
        for (Frontends.Row row : frontends.rows()) {
            services.computeIfAbsent(row.port().name().service(), key -> new ArrayList<>())
                    .add(row);
        }
        return services.entrySet().stream()
                .map(each -> of(each.getKey(), each.getValue(), counted))
                .toList();
    }

    private static ServiceRow of(
            ServiceKey key, List<Frontends.Row> rows, IdentityHashMap<Frontends.Row, Attempts> counted) {
        Map<IpFamily, Set<Object>> addresses = new LinkedHashMap<>();
        long connections = 0;
        long refused = 0;
        long dropped = 0;
        boolean any = false;
        for (Frontends.Row row : rows) {
            Set<Object> ofFamily = addresses.computeIfAbsent(row.address().family(), family -> new LinkedHashSet<>());
            row.endpoints().stream()
                    .map(Endpoint::address)
                    .map(address -> address.ip())
                    .forEach(ofFamily::add);
            Attempts attempts = counted.get(row);
            if (attempts != null) {
                any = true;
                connections += attempts.connections();
                refused += attempts.refused();
                dropped += attempts.dropped();
            }
        }
        Map<IpFamily, Integer> endpoints = new LinkedHashMap<>();
        addresses.forEach((family, ips) -> endpoints.put(family, ips.size()));
        return new ServiceRow(
                key,
                rows,
                endpoints,
                any ? Optional.of(new Attempts(connections, refused, dropped)) : Optional.empty());
    }

    /** Why some connections fail; {@code ok} when none do. */
    public String state() {
        return frontends.stream()
                .map(Frontends.Row::state)
                .filter(state -> !state.equals(OK))
                .findFirst()
                .orElse(OK);
    }

    /** Whether every word of a filter, in lower case, occurs in the name, a frontend, a type or a state. */
    public boolean contains(List<String> words) {
        if (words.isEmpty()) {
            return true;
        }
        StringBuilder text = new StringBuilder(service.toString());
        frontends.forEach(row -> text.append(' ')
                .append(row.frontend())
                .append(' ')
                .append(row.kind())
                .append(' ')
                .append(row.state()));
        String all = text.toString().toLowerCase(Locale.ROOT);
        return words.stream().allMatch(all::contains);
    }

    /** An object for the page. */
    public Tree tree() {
        Tree.Mapping tree = Tree.object("namespace", service.namespace())
                .with("name", service.name())
                .with("state", state())
                .with(
                        "frontends",
                        frontends.stream()
                                .map(row -> Tree.object("frontend", row.frontend())
                                        .with("type", row.kind())
                                        .with("state", row.state()))
                                .toList());
        for (IpFamily family : IpFamily.values()) {
            tree = tree.with(
                    "endpoints" + family.toString().replace("IP", "Ip"), Optional.ofNullable(endpoints.get(family)));
        }
        return tree.with("connections", attempts.map(Attempts::connections))
                .with("refused", attempts.map(Attempts::refused))
                .with("dropped", attempts.map(Attempts::dropped));
    }
}
