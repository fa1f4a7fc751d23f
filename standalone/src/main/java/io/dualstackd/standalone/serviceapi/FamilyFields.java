package io.dualstackd.standalone.serviceapi;

import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Optional;

/**
 * The four fields of a Service that define its families. Lists are empty where a field is unset.
 *
 * @param clusterIp {@code spec.clusterIP}: empty, {@code None}, or an address as it was written
 * @param clusterIps {@code spec.clusterIPs}
 * @param ipFamilies {@code spec.ipFamilies}, the primary one first
 * @param policy {@code spec.ipFamilyPolicy}
 */
public record FamilyFields(
        String clusterIp, List<String> clusterIps, List<IpFamily> ipFamilies, Optional<IpFamilyPolicy> policy) {
    public static final String NONE = "None";
    public static final FamilyFields UNSET = new FamilyFields("", List.of(), List.of(), Optional.empty());

    public FamilyFields {
        clusterIps = List.copyOf(clusterIps);
        ipFamilies = List.copyOf(ipFamilies);
    }

    /** Whether the first cluster IP is {@code None}: the Service is reached by DNS only. */
    public boolean isHeadless() {
        return !clusterIps.isEmpty() && clusterIps.getFirst().equals(NONE);
    }

    public FamilyFields withClusterIps(String first, List<String> all) {
        return new FamilyFields(first, all, ipFamilies, policy);
    }

    public FamilyFields withClusterIps(List<String> all) {
        return new FamilyFields(clusterIp, all, ipFamilies, policy);
    }

    public FamilyFields withFamilies(List<IpFamily> families) {
        return new FamilyFields(clusterIp, clusterIps, families, policy);
    }

    public FamilyFields withPolicy(IpFamilyPolicy newPolicy) {
        return new FamilyFields(clusterIp, clusterIps, ipFamilies, Optional.of(newPolicy));
    }
}
