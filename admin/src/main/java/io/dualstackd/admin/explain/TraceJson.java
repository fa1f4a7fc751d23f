package io.dualstackd.admin.explain;

import io.dualstackd.explain.Evidence;
import io.dualstackd.explain.trace.PacketHeader;
import io.dualstackd.explain.trace.TraceStep;
import io.dualstackd.explain.trace.TracedPacket;
import io.dualstackd.kubeapi.tree.Tree;
import java.util.Locale;

/** The ways of packets as JSON. */
public final class TraceJson {
    private TraceJson() {}

    /** Returns the fields {@code request}, {@code packets}, {@code lost}, {@code notSeen}. */
    public static Tree of(TraceReport.Seen report) {
        ExplainRequest request = report.request().packet();
        return Tree.object(
                        "asked",
                        Tree.object("source", request.source())
                                .with("destination", request.destination())
                                .with("port", request.port())
                                .with("protocol", request.protocol())
                                .with("interface", request.in())
                                .with("seconds", report.request().time().toSeconds())
                                .with("count", report.request().count()))
                .with(
                        "packets",
                        report.packets().stream().map(TraceJson::packet).toList())
                .with("lost", report.lost())
                .with("notSeen", report.notSeen());
    }

    private static Tree packet(TraceReport.Packet seen) {
        TracedPacket packet = seen.traced();
        return Tree.object("time", packet.since().toString())
                .with("interface", packet.in())
                .with("arrived", header(packet.first()))
                .with("steps", packet.steps().stream().map(TraceJson::step).toList())
                .with(
                        "result",
                        Tree.object("fate", packet.end().fate().name().toLowerCase(Locale.ROOT))
                                .with("place", packet.end().place())
                                .with("to", packet.translated().map(Object::toString))
                                .with("masqueradedAs", packet.masqueraded().map(Object::toString))
                                .with("left", header(packet.last())))
                .with("knownConnection", packet.known())
                .with("service", seen.service())
                .with("asPlanned", seen.difference().isEmpty())
                .with("difference", seen.difference());
    }

    private static Tree header(PacketHeader header) {
        return Tree.object("source", header.source().toString())
                .with("destination", header.destination().toString());
    }

    private static Tree step(TraceStep step) {
        return Tree.object("hook", TraceText.hook(step))
                .with("table", step.chain().table().toString())
                .with("chain", step.chain().name())
                .with("rule", step.rule())
                .with("met", step.met().stream().map(TraceJson::met).toList())
                .with("words", step.words())
                .with("verdict", step.verdict());
    }

    private static Tree met(Evidence evidence) {
        return Tree.object("place", evidence.place()).with("object", evidence.object());
    }
}
