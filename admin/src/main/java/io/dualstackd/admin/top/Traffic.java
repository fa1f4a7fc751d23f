package io.dualstackd.admin.top;

import io.dualstackd.admin.objects.Frontends;
import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.dataplane.counters.ConnectionCounts;
import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.netlink.ip.Proto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The attempts to connect to each frontend, as the kernel had counted them at one moment.
 *
 * @param atMillis when they were read, in milliseconds since 1970
 * @param rows in the order of the frontends
 */
public record Traffic(long atMillis, List<Row> rows) {
    /** A frontend and what was counted at it. */
    public record Row(Frontends.Row frontend, Attempts attempts) {}

    public Traffic {
        rows = List.copyOf(rows);
    }

    /** Reads the kernel's counters again; returns why there are none, or why they cannot be read. Blocks until the kernel has answered. */
    public static Optional<String> refresh(List<ConnectionCounts> counts) {
        if (counts.isEmpty()) {
            return Optional.of("this daemon counts no connections");
        }
        return counts.stream()
                .flatMap(each -> each.refresh().stream())
                .findFirst()
                .map(why -> "the kernel's counters cannot be read: " + why);
    }

    /**
     * What was last read.
     *
     * @param counts one for each family that is counted; frontends of others are left out
     */
    public static Traffic of(long atMillis, Frontends frontends, List<ConnectionCounts> counts) {
        List<Row> rows = new ArrayList<>();
        Set<Destination> taken = new HashSet<>();
        for (Frontends.Row row : frontends.rows()) {
            for (ConnectionCounts of : counts) {
                // Of two frontends with the same destination the first one has it, as in the rules.
                if (of.family() == row.address().family() && taken.add(Destination.of(row))) {
                    rows.add(new Row(row, attempts(row, of)));
                }
            }
        }
        return new Traffic(atMillis, rows);
    }

    /** The part of one namespace. */
    Traffic of(String namespace) {
        return new Traffic(
                atMillis,
                rows.stream()
                        .filter(row -> row.frontend()
                                .port()
                                .name()
                                .service()
                                .namespace()
                                .equals(namespace))
                        .toList());
    }

    private record Destination(Object address, Proto protocol, int number) {
        static Destination of(Frontends.Row row) {
            return new Destination(row.address(), row.port().name().protocol(), row.number());
        }
    }

    private static Attempts attempts(Frontends.Row row, ConnectionCounts counts) {
        ServicePort port = row.port();
        Proto protocol = port.name().protocol();
        return switch (row.kind()) {
            case "ClusterIP" -> counts.clusterIp(row.address(), protocol, row.number());
            case "NodePort" -> counts.nodePort(protocol, row.number());
            default -> counts.external(row.address(), protocol, row.number());
        };
    }
}
