package io.dualstackd.admin;

import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The health of the daemon in one word, with the reasons.
 *
 * @param reasons empty when healthy; those of a failure first
 */
public record Health(Word word, List<Reason> reasons) {
    /** Outages of the source are reported when they last longer than this: a server that restarts is back sooner. */
    static final Duration OUTAGE = Duration.ofMinutes(2);

    /** The time for which a failure of a component is reported. */
    static final Duration RECENTLY = Duration.ofMinutes(10);

    public Health {
        reasons = List.copyOf(reasons);
    }

    /** The overall health. */
    public enum Word {
        /** Everything that is wanted is in force. */
        HEALTHY("healthy"),
        /** Traffic flows by the last good rules and objects, but something is wrong; the reasons name it. */
        DEGRADED("degraded"),
        /** Rules are not as intended, or a component that the daemon requires does not work. */
        FAILED("failed");

        private final String label;

        Word(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** The kind of a reason, with the name used in machine-readable output. */
    public enum Kind {
        SOURCE_NOT_READ("source-not-read", true),
        RULES_NOT_IN_FORCE("rules-not-in-force", true),
        COMPONENT_OVERDUE("component-overdue", true),
        OPTIONAL_COMPONENT_OVERDUE("optional-component-overdue", false),
        COMPONENT_RESTARTED("component-restarted", false),
        REFUSED_OBJECTS("refused-objects", false),
        INCOMPLETE_RULES("incomplete-rules", false),
        CONTESTED_RULES("contested-rules", false),
        SOURCE_OUTAGE("source-outage", false),
        RUNTIME("runtime", false),
        NODE_ADDRESS("node-address", false),
        HEALTH_PORTS("health-ports", false),
        DNS("dns", false),
        CNI("cni", false),
        CONFIGURATION("configuration", false);

        private final String label;
        private final boolean failure;

        Kind(String label, boolean failure) {
            this.label = label;
            this.failure = failure;
        }

        /** Whether it makes the daemon failed rather than degraded. */
        public boolean isFailure() {
            return failure;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** Something that is wrong. */
    public record Reason(Kind kind, String text) {}

    /** Derives the health from a report. */
    static Health of(StatusReport report) {
        List<Reason> reasons = new ArrayList<>();
        notInForce(report, reasons);
        components(report, reasons);
        objects(report, reasons);
        surroundings(report, reasons);
        Word word = reasons.isEmpty()
                ? Word.HEALTHY
                : reasons.stream().anyMatch(reason -> reason.kind().isFailure()) ? Word.FAILED : Word.DEGRADED;
        return new Health(word, reasons);
    }

    private static void notInForce(StatusReport report, List<Reason> reasons) {
        StatusReport.Source source = report.source();
        if (!source.synced()) {
            reasons.add(new Reason(
                    Kind.SOURCE_NOT_READ,
                    source.kind() + " " + source.place() + " has not been read completely yet"
                            + source.error().map(why -> ": " + why).orElse("")));
        }
        for (StatusReport.Family family : report.families()) {
            switch (family.phase()) {
                case STARTING ->
                    reasons.add(new Reason(Kind.RULES_NOT_IN_FORCE, family.family() + " rules are not in force yet"));
                case RETRYING ->
                    reasons.add(new Reason(
                            Kind.RULES_NOT_IN_FORCE,
                            family.family() + " rules are out of date"
                                    + family.error()
                                            .map(error -> ": " + error.message())
                                            .orElse("")));
                case READY, OFF -> {}
            }
        }
        if (report.families().stream().allMatch(family -> family.phase() == StatusReport.Phase.OFF)) {
            reasons.add(new Reason(Kind.RULES_NOT_IN_FORCE, "no IP family is on"));
        }
    }

    private static void components(StatusReport report, List<Reason> reasons) {
        for (ComponentState state : report.components()) {
            if (state.overdue()) {
                reasons.add(new Reason(
                        state.isFatal() ? Kind.COMPONENT_OVERDUE : Kind.OPTIONAL_COMPONENT_OVERDUE,
                        "component " + state.component() + " has been silent for "
                                + state.age().toSeconds() + " s; it "
                                + state.component().purpose()));
            }
            state.lastFailure()
                    .filter(last -> last.ago().compareTo(RECENTLY) < 0)
                    .ifPresent(last -> reasons.add(new Reason(
                            Kind.COMPONENT_RESTARTED,
                            "component " + state.component() + " failed "
                                    + last.ago().toSeconds() + " s ago and was started again: " + last.what())));
        }
    }

    private static void objects(StatusReport report, List<Reason> reasons) {
        // Several fields of one object may be wrong; what has no name is counted by its place.
        long refused = report.problems().stream()
                .filter(Problem::isError)
                .map(problem -> problem.object().isEmpty() ? problem.place().toString() : problem.object())
                .distinct()
                .count();
        if (refused > 0) {
            reasons.add(new Reason(
                    Kind.REFUSED_OBJECTS,
                    refused + (refused == 1 ? " object of the source is" : " objects of the source are")
                            + " refused, the last good versions stay in force"));
        }
        for (StatusReport.Family family : report.families()) {
            if (family.phase() == StatusReport.Phase.READY) {
                family.error()
                        .ifPresent(error -> reasons.add(new Reason(
                                Kind.INCOMPLETE_RULES, family.family() + " is incomplete: " + error.message())));
            }
            family.contest()
                    .ifPresent(contest -> reasons.add(new Reason(
                            Kind.CONTESTED_RULES,
                            family.family() + " rules are changed repeatedly by "
                                    + (contest.process().isEmpty() ? "another process" : contest.process()))));
        }
    }

    private static void surroundings(StatusReport report, List<Reason> reasons) {
        StatusReport.Source source = report.source();
        boolean out = source.outage().filter(time -> time.compareTo(OUTAGE) > 0).isPresent();
        if (source.synced() && out && source.error().isPresent()) {
            reasons.add(new Reason(Kind.SOURCE_OUTAGE, source.error().get()));
        }
        report.runtime()
                .flatMap(runtime -> runtime.state().outage())
                .ifPresent(outage -> reasons.add(
                        new Reason(Kind.RUNTIME, "the container runtime does not answer: " + outage.reason())));
        report.addresses().unanswered().forEach(text -> reasons.add(new Reason(Kind.NODE_ADDRESS, text)));
        int closed = report.closedHealthPorts().size();
        if (closed > 0) {
            reasons.add(new Reason(
                    Kind.HEALTH_PORTS,
                    closed + (closed == 1 ? " port" : " ports") + " for health checks or metrics cannot be opened"));
        }
        report.dns().ifPresent(dns -> dns.problems().forEach(text -> reasons.add(new Reason(Kind.DNS, text))));
        report.setup().cni().ifPresent(text -> reasons.add(new Reason(Kind.CNI, text)));
        Optional<StatusReport.Reload> reload = report.setup().reload();
        reload.filter(last -> !last.good())
                .ifPresent(last -> reasons.add(new Reason(Kind.CONFIGURATION, "configuration " + last.what())));
    }
}
