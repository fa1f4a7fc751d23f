package io.dualstackd.agent.explain;

import io.dualstackd.dataplane.explain.Agreement;
import io.dualstackd.dataplane.explain.Evidence;
import io.dualstackd.dataplane.explain.Explanation;
import io.dualstackd.dataplane.explain.HostPath;
import io.dualstackd.dataplane.explain.KernelFindings;
import io.dualstackd.dataplane.explain.Note;
import io.dualstackd.dataplane.plan.Packet;
import io.dualstackd.dataplane.plan.PacketFate;
import io.dualstackd.dataplane.plan.PacketFate.Hop;
import io.dualstackd.kubeapi.print.OutputValue;
import java.util.List;

/** An explanation as JSON. */
public final class ExplanationJson {
    private ExplanationJson() {}

    /** Returns the fields {@code packet}, {@code result}, {@code notes}, {@code kernel}, {@code host}. */
    public static OutputValue of(Explanation explanation) {
        OutputValue.Fields fields = OutputValue.object()
                .with("packet", packet(explanation.packet()))
                .with("result", fate(explanation.fate()))
                .with("affinityTo", explanation.pinned().map(Object::toString))
                .with(
                        "notes",
                        explanation.notes().stream().map(ExplanationJson::note).toList())
                .with("kernel", kernel(explanation));
        return explanation.host().map(host -> fields.with("host", host(host))).orElse(fields);
    }

    private static OutputValue note(Note note) {
        return OutputValue.object().with("about", note.about()).with("text", note.text());
    }

    private static OutputValue host(HostPath path) {
        return OutputValue.object()
                .with("verdict", path.drops() ? "drops" : path.mayDrop() ? "may drop" : "passes")
                .with("ways", path.legs().stream().map(ExplanationJson::leg).toList())
                .withTexts("notSeen", path.notSeen());
    }

    private static OutputValue leg(HostPath.Leg leg) {
        return OutputValue.object()
                .withTexts("to", leg.to().stream().map(Object::toString).toList())
                .with(
                        "meets",
                        leg.findings().stream().map(ExplanationJson::finding).toList());
    }

    private static OutputValue finding(HostPath.Finding finding) {
        String verdict = switch (finding.verdict()) {
            case PASSES -> "passes";
            case MAY_DROP -> "may drop";
            case DROPS -> "drops";
        };
        return OutputValue.object()
                .with("what", finding.what())
                .with("verdict", verdict)
                .with("reason", finding.words());
    }

    private static OutputValue packet(Packet packet) {
        OutputValue.Fields fields = OutputValue.object()
                .with("source", packet.source().toString())
                .with("destination", packet.destination().toString())
                .with("port", packet.port())
                .with("protocol", packet.protocol().toString());
        return switch (packet.origin()) {
            case Packet.Origin.ThisNode() -> fields.with("fromThisNode", true);
            case Packet.Origin.Interface(String name) ->
                fields.with("fromThisNode", false).with("interface", name);
        };
    }

    private static OutputValue fate(PacketFate fate) {
        return switch (fate) {
            case PacketFate.Forwarded(var service, var reason, var hops) ->
                OutputValue.object()
                        .with("fate", "forwarded")
                        .with("service", service.toString())
                        .with("address", reason.address())
                        .with("endpoints", reason.endpoints())
                        .with("source", reason.source())
                        .with("to", hops.stream().map(ExplanationJson::hop).toList());
            case PacketFate.Rejected(var service, String why) ->
                OutputValue.object()
                        .with("fate", "rejected")
                        .with("service", service.toString())
                        .with("reason", why);
            case PacketFate.Dropped(var service, String why) ->
                OutputValue.object()
                        .with("fate", "dropped")
                        .with("service", service.map(Object::toString))
                        .with("reason", why);
            case PacketFate.NotOurs() -> OutputValue.object().with("fate", "not ours");
        };
    }

    private static OutputValue hop(Hop hop) {
        return OutputValue.object()
                .with("address", hop.to().address().toString())
                .with("local", hop.to().local())
                .with("masqueraded", hop.masqueraded());
    }

    private static OutputValue kernel(Explanation explanation) {
        OutputValue.Fields fields =
                OutputValue.object().with("mode", explanation.mode().toString());
        OutputValue.Fields judged = switch (explanation.agreement()) {
            case Agreement.Agrees() -> fields.with("agrees", true);
            case Agreement.Differs(List<String> how) ->
                fields.with("agrees", false).withTexts("differences", how);
            case Agreement.Unknown(String why) -> fields.with("unknown", why);
        };
        return explanation.kernel() instanceof KernelFindings.Given given
                ? judged.with(
                        "met",
                        given.met().stream().map(ExplanationJson::evidence).toList())
                : judged;
    }

    private static OutputValue evidence(Evidence evidence) {
        return OutputValue.object().with("place", evidence.place()).with("object", evidence.object());
    }
}
