package io.dualstackd.agent.notify;

import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.StatusReport.Family;
import io.dualstackd.admin.StatusReport.Phase;
import java.util.List;
import java.util.stream.Collectors;

/** The status report in one line for {@code systemctl status}: first what is wrong, then what is in force. */
public final class StatusLine {
    private static final int LONGEST = 300;

    private StatusLine() {}

    public static String of(StatusReport report) {
        StatusReport.Source source = report.source();
        String outage = source.error()
                .map(why -> "no updates from " + source.place() + ": " + why + "; ")
                .orElse("");
        String line = source.synced()
                ? outage + families(report) + "; " + count(source.services(), "service") + ", "
                        + count(source.slices(), "slice")
                : outage + "waiting for the first complete read of " + source.kind() + " " + source.place()
                        + "; rules stay as they are";
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1) + "…";
    }

    private static String families(StatusReport report) {
        List<Family> on =
                report.families().stream().filter(f -> f.phase() != Phase.OFF).toList();
        if (!on.isEmpty()
                && on.stream()
                        .allMatch(f -> f.phase() == Phase.READY && f.error().isEmpty())) {
            return on.stream().map(f -> f.family().toString()).collect(Collectors.joining(" and ")) + " in force";
        }
        return on.stream().map(StatusLine::family).collect(Collectors.joining(", "));
    }

    private static String family(Family family) {
        String why =
                family.error().map(failure -> " (" + failure.message() + ")").orElse("");
        return family.family()
                + switch (family.phase()) {
                    case STARTING -> " being programmed";
                    case READY -> " in force" + why;
                    case RETRYING -> " failing, rules stay as they were" + why;
                    case OFF -> " off";
                };
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
