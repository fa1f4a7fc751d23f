package io.dualstackd.standalone.serviceapi;

import java.util.ArrayList;
import java.util.List;

/** Keeps {@code clusterIP} and {@code clusterIPs} consistent; a client that knows only one of them must not lose the other. */
public final class ClusterIpFields {
    private ClusterIpFields() {}

    /** A new Service with only {@code clusterIP} gets it in the list, too; the reverse case is left to validation. */
    public static FamilyFields normalised(FamilyFields given) {
        return given.clusterIps().isEmpty() && !given.clusterIp().isEmpty()
                ? given.withClusterIps(List.of(given.clusterIp()))
                : given;
    }

    /** A Service that is written again: works out which of the two fields the write is meant to change. */
    public static FamilyFields normalised(FamilyFields given, FamilyFields old) {
        boolean sameFirst = given.clusterIp().equals(old.clusterIp());
        boolean sameList = given.clusterIps().equals(old.clusterIps());
        if (given.clusterIp().isEmpty()) {
            // Cleared by a client that does not know the list and sent it back unchanged.
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

    /** A Service that is written again without addresses keeps those it has. */
    public static FamilyFields kept(FamilyFields given, FamilyFields old) {
        if (given.clusterIp().isEmpty()) {
            return given.withClusterIps(
                    old.clusterIp(), given.clusterIps().isEmpty() ? old.clusterIps() : given.clusterIps());
        }
        if (!given.clusterIps().isEmpty() || old.clusterIps().isEmpty()) {
            return given;
        }
        // The write asks for another first address: it is put into the list, so that validation rejects the change.
        List<String> wanted = new ArrayList<>(old.clusterIps());
        wanted.set(0, given.clusterIp());
        return given.withClusterIps(wanted);
    }
}
