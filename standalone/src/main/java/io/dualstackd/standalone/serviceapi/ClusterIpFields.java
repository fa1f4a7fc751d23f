package io.dualstackd.standalone.serviceapi;

import java.util.ArrayList;
import java.util.List;

/** {@code clusterIP} and {@code clusterIPs} say the same; clients that know only one of them must not lose the other. */
public final class ClusterIpFields {
    private ClusterIpFields() {}

    /** A new Service whose author wrote only {@code clusterIP} has it in the list, too; the other way round is left to validation. */
    public static FamilyFields normalised(FamilyFields given) {
        return given.clusterIps().isEmpty() && !given.clusterIp().isEmpty()
                ? given.withClusterIps(List.of(given.clusterIp()))
                : given;
    }

    /** A Service that is written again: which of the two fields did its author mean to change? */
    public static FamilyFields normalised(FamilyFields given, FamilyFields old) {
        boolean sameFirst = given.clusterIp().equals(old.clusterIp());
        boolean sameList = given.clusterIps().equals(old.clusterIps());
        if (given.clusterIp().isEmpty()) {
            // Cleared by a client that does not know the list, which it sent back as it was.
            return sameList && !old.clusterIp().isEmpty() ? given.withClusterIps(List.of()) : given;
        }
        if (given.clusterIps().isEmpty()) {
            if (old.clusterIp().isEmpty()) {
                return given.withClusterIps(List.of(given.clusterIp()));
            }
            return sameFirst ? given.withClusterIps(old.clusterIps()) : given;
        }
        return sameList && !sameFirst ? given.withClusterIps(List.of(given.clusterIp())) : given;
    }

    /** Written again without addresses, a Service keeps those it has. */
    public static FamilyFields kept(FamilyFields given, FamilyFields old) {
        if (given.clusterIp().isEmpty()) {
            return given.withClusterIps(
                    old.clusterIp(), given.clusterIps().isEmpty() ? old.clusterIps() : given.clusterIps());
        }
        if (!given.clusterIps().isEmpty() || old.clusterIps().isEmpty()) {
            return given;
        }
        // Its author wants another first one; so written, he is told that this is what he may not.
        List<String> wanted = new ArrayList<>(old.clusterIps());
        wanted.set(0, given.clusterIp());
        return given.withClusterIps(wanted);
    }
}
