package io.dualstackd.pods;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The rules by which the API server validates the addresses in a pod status. */
public final class PodStatusRules {
    private static final String ONE_PER_FAMILY = "may specify no more than one IP for each IP family";

    private PodStatusRules() {}

    /**
     * @param stored the list before the change; errors that were there already are accepted
     * @return the errors of the new list, each text beginning with the path of the field; empty when there are none
     */
    public static List<String> podIps(List<String> ips, List<String> stored) {
        return list("status.podIPs", ips, stored);
    }

    /** The same for the node's addresses in the status, whose first must be the single one. */
    public static List<String> hostIps(String hostIp, List<String> hostIps, List<String> stored) {
        List<String> problems = new ArrayList<>(list("status.hostIPs", hostIps, stored));
        if (!hostIps.isEmpty() && !hostIps.getFirst().equals(hostIp)) {
            problems.add(
                    "status.hostIPs[0]: \"" + hostIps.getFirst() + "\": must be equal to hostIP \"" + hostIp + "\"");
        }
        return List.copyOf(problems);
    }

    private static List<String> list(String path, List<String> texts, List<String> stored) {
        List<String> problems = new ArrayList<>();
        IntStream.range(0, texts.size())
                .filter(i -> !stored.contains(texts.get(i)) && ip(texts.get(i)).isEmpty())
                .forEach(i -> problems.add(path + "[" + i + "]: \"" + texts.get(i) + "\": must be a valid IP address"));
        List<IpFamily> families = texts.stream()
                .flatMap(text -> ip(text).stream())
                .map(Ip::family)
                .toList();
        boolean pair = texts.size() == 2 && families.size() == 2 && families.get(0) != families.get(1);
        boolean unchanged = texts.equals(stored);
        if (texts.size() > 1 && !pair && !unchanged) {
            problems.add(path + ": " + String.join(", ", texts) + ": " + ONE_PER_FAMILY);
        }
        return List.copyOf(problems);
    }

    private static Optional<Ip> ip(String text) {
        return RawIps.isAddress(text) ? Optional.of(Ip.parseLenient(text)) : Optional.empty();
    }
}
