package io.dualstackd.agent.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.pods.cri.RuntimeVersion;
import io.dualstackd.supervision.ComponentState;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** A {@link StatusReport} as JSON. Keys are only ever added; durations are in milliseconds, times in RFC 3339. */
public final class StatusJson {
    private static final JsonFactory JSON = new JsonFactory();

    private StatusJson() {}

    /** Returns an indented object, ended by a newline. */
    public static String of(StatusReport report) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
            printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
            json.setPrettyPrinter(printer);
            report(json, report);
        } catch (IOException e) {
            throw new UncheckedIOException("a StringWriter does not fail", e);
        }
        return text.append('\n').toString();
    }

    private static void report(JsonGenerator json, StatusReport report) throws IOException {
        json.writeStartObject();
        json.writeStringField("version", report.version());
        json.writeStringField("node", report.node());
        json.writeNumberField("pid", report.pid());
        Health health = report.health();
        json.writeBooleanField("healthy", health.word() != Health.Word.FAILED);
        json.writeStringField("health", health.word().toString());
        json.writeArrayFieldStart("reasons");
        for (Health.Reason reason : health.reasons()) {
            json.writeStartObject();
            json.writeStringField("reason", reason.kind().toString());
            json.writeStringField("text", reason.text());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeStringField("startedAt", report.startedAt().toString());
        json.writeStringField("madeAt", report.madeAt().toString());
        source(json, report.source());
        addresses(json, report.addresses());
        json.writeArrayFieldStart("families");
        for (StatusReport.Family family : report.families()) {
            family(json, family);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("problems");
        for (Problem problem : report.problems()) {
            problem(json, problem);
        }
        json.writeEndArray();
        texts(json, "closedHealthPorts", report.closedHealthPorts());
        if (report.runtime().isPresent()) {
            runtime(json, report.runtime().get());
        }
        setup(json, report.setup());
        json.writeArrayFieldStart("components");
        for (ComponentState state : report.components()) {
            component(json, state);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void component(JsonGenerator json, ComponentState state) throws IOException {
        json.writeStartObject();
        json.writeStringField("component", state.component().toString());
        json.writeStringField("purpose", state.component().purpose());
        json.writeBooleanField("required", state.component().isRequired());
        ms(json, "ageMs", state.age());
        ms(json, "deadlineMs", state.component().deadline());
        json.writeBooleanField("overdue", state.overdue());
        json.writeNumberField("restarts", state.restarts());
        if (state.lastFailure().isPresent()) {
            ms(json, "lastFailureMsAgo", state.lastFailure().get().ago());
            json.writeStringField("lastFailure", state.lastFailure().get().what());
        }
        json.writeEndObject();
    }

    private static void setup(JsonGenerator json, StatusReport.Setup setup) throws IOException {
        texts(json, "hostNotes", setup.notes());
        if (setup.reload().isPresent()) {
            StatusReport.Reload reload = setup.reload().get();
            json.writeObjectFieldStart("reload");
            json.writeStringField("at", reload.at().toString());
            json.writeBooleanField("good", reload.good());
            json.writeStringField("what", reload.what());
            texts(json, "restartNeeded", reload.restart());
            json.writeEndObject();
        }
    }

    private static void texts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    private static void runtime(JsonGenerator json, StatusReport.ContainerRuntime runtime) throws IOException {
        RuntimeReport state = runtime.state();
        json.writeObjectFieldStart("runtime");
        json.writeStringField("endpoint", state.endpoint());
        json.writeStringField("name", state.version().map(RuntimeVersion::name).orElse(""));
        json.writeStringField(
                "version", state.version().map(RuntimeVersion::version).orElse(""));
        json.writeBooleanField(
                "answers", state.outage().isEmpty() && state.listed().isPresent());
        json.writeBooleanField(
                "ready", state.conditions().filter(c -> c.runtime().holds()).isPresent());
        json.writeBooleanField(
                "networkReady",
                state.conditions().filter(c -> c.network().holds()).isPresent());
        json.writeStringField("events", state.events().toString());
        json.writeBooleanField("eventsTrusted", state.trusted());
        if (state.listed().isPresent()) {
            json.writeStringField("listedAt", state.listed().get().toString());
        }
        if (state.outage().isPresent()) {
            json.writeStringField("silentSince", state.outage().get().since().toString());
            json.writeStringField("said", state.outage().get().reason());
        }
        json.writeNumberField("pods", runtime.pods());
        json.writeNumberField("alive", runtime.alive());
        json.writeNumberField("failovers", runtime.failovers());
        json.writeNumberField("hiddenEndpoints", runtime.hidden());
        json.writeEndObject();
    }

    private static void source(JsonGenerator json, StatusReport.Source source) throws IOException {
        json.writeObjectFieldStart("source");
        json.writeStringField("kind", source.kind());
        json.writeStringField("place", source.place());
        json.writeBooleanField("synced", source.synced());
        json.writeNumberField("services", source.services());
        json.writeNumberField("slices", source.slices());
        json.writeNumberField("nodes", source.nodes());
        if (source.trouble().isPresent()) {
            json.writeStringField("trouble", source.trouble().get());
        }
        if (source.outage().isPresent()) {
            ms(json, "outageMs", source.outage().get());
        }
        if (source.lastContact().isPresent()) {
            ms(json, "lastContactMsAgo", source.lastContact().get());
        }
        json.writeEndObject();
    }

    private static void addresses(JsonGenerator json, StatusReport.OwnAddresses own) throws IOException {
        json.writeArrayFieldStart("nodeAddresses");
        for (StatusReport.OwnAddress address : own.chosen()) {
            json.writeStartObject();
            json.writeStringField("type", address.type());
            json.writeStringField("address", address.address());
            json.writeStringField("reason", address.reason());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("nodeAddressTroubles");
        for (String trouble : own.troubles()) {
            json.writeString(trouble);
        }
        json.writeEndArray();
    }

    private static void family(JsonGenerator json, StatusReport.Family family) throws IOException {
        json.writeStartObject();
        json.writeStringField("family", family.family().toString());
        json.writeStringField("mode", family.mode());
        json.writeStringField("variant", family.variant());
        json.writeStringField("phase", family.phase().toString());
        objects(json, family.objects());
        totals(json, family.totals());
        if (family.last().isPresent()) {
            transaction(json, family.last().get());
        }
        if (family.latency().isPresent()) {
            latency(json, family.latency().get());
        }
        if (family.error().isPresent()) {
            trouble(json, family.error().get());
        }
        if (family.contest().isPresent()) {
            contest(json, family.contest().get());
        }
        json.writeEndObject();
    }

    private static void objects(JsonGenerator json, StatusReport.Objects objects) throws IOException {
        json.writeObjectFieldStart("objects");
        json.writeNumberField("services", objects.services());
        json.writeNumberField("servicePorts", objects.servicePorts());
        json.writeNumberField("endpoints", objects.endpoints());
        json.writeNumberField("chains", objects.chains());
        json.writeNumberField("rules", objects.rules());
        json.writeNumberField(
                "internalPortsWithoutLocal", objects.withoutLocal().internal());
        json.writeNumberField(
                "externalPortsWithoutLocal", objects.withoutLocal().external());
        json.writeEndObject();
    }

    private static void totals(JsonGenerator json, StatusReport.Totals totals) throws IOException {
        json.writeObjectFieldStart("totals");
        json.writeNumberField("transactions", totals.transactions());
        json.writeNumberField("refused", totals.refused());
        json.writeNumberField("repairs", totals.repairs());
        json.writeNumberField("messages", totals.messages());
        json.writeNumberField("bytes", totals.bytes());
        json.writeNumberField("staleFlows", totals.staleFlows());
        json.writeEndObject();
    }

    private static void transaction(JsonGenerator json, StatusReport.Transaction last) throws IOException {
        json.writeObjectFieldStart("last");
        json.writeStringField("at", last.at().toString());
        ms(json, "tookMs", last.took());
        json.writeNumberField("messages", last.messages());
        json.writeNumberField("bytes", last.bytes());
        json.writeNumberField("steps", last.steps());
        json.writeEndObject();
    }

    private static void latency(JsonGenerator json, StatusReport.Latency latency) throws IOException {
        json.writeObjectFieldStart("latency");
        json.writeNumberField("changes", latency.changes());
        ms(json, "medianMs", latency.median());
        ms(json, "p99Ms", latency.p99());
        json.writeEndObject();
    }

    private static void trouble(JsonGenerator json, StatusReport.Trouble trouble) throws IOException {
        json.writeObjectFieldStart("error");
        json.writeStringField("since", trouble.since().toString());
        json.writeNumberField("attempts", trouble.attempts());
        json.writeStringField("what", trouble.what());
        json.writeStringField("said", trouble.said());
        json.writeStringField("next", trouble.next());
        json.writeEndObject();
    }

    private static void contest(JsonGenerator json, StatusReport.Contest contest) throws IOException {
        json.writeObjectFieldStart("contestedBy");
        json.writeStringField("process", contest.process());
        json.writeNumberField("pid", contest.pid());
        json.writeStringField("what", contest.what());
        json.writeStringField("since", contest.since().toString());
        json.writeNumberField("repairs", contest.repairs());
        ms(json, "pauseMs", contest.pause());
        json.writeEndObject();
    }

    private static void problem(JsonGenerator json, Problem problem) throws IOException {
        json.writeStartObject();
        json.writeStringField("severity", problem.severity().name().toLowerCase(Locale.ROOT));
        switch (problem.place()) {
            case Place.InFile(String file, int document, int line, String field) -> {
                json.writeStringField("file", file);
                json.writeNumberField("document", document);
                json.writeNumberField("line", line);
                json.writeStringField("field", field);
            }
            case Place.Flag(String name) -> json.writeStringField("flag", name);
        }
        json.writeStringField("object", problem.object());
        json.writeStringField("value", problem.value());
        json.writeStringField("rule", problem.rule());
        json.writeEndObject();
    }

    private static void ms(JsonGenerator json, String name, Duration duration) throws IOException {
        json.writeNumberField(name, duration.toNanos() / 1e6);
    }
}
