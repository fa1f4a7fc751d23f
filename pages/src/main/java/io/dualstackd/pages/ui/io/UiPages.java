package io.dualstackd.pages.ui.io;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.admin.io.ReadOnlyAnswers;
import io.dualstackd.admin.objects.Frontends;
import io.dualstackd.admin.objects.ObjectsReport;
import io.dualstackd.admin.top.Traffic;
import io.dualstackd.dataplane.counters.Attempts;
import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.HttpRequest;
import io.dualstackd.pages.health.Pages;
import io.dualstackd.pages.metrics.FamilyMeter;
import io.dualstackd.pages.metrics.LatencyHour;
import io.dualstackd.pages.ui.ServiceRow;
import java.time.Duration;
import java.time.InstantSource;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The page in the browser and what it asks for, all read-only. Used by one thread.
 *
 * <p>A page of another site could reach these addresses under a name of its own that it makes resolve to this host. So requests are
 * answered only when the browser thinks that it talks to an IP address or to {@code localhost}.
 */
final class UiPages {
    private static final String ROOT = "/ui/";

    /** Everything comes from here, no scripts or styles in attributes, and no other page may hold this one in a frame. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final double NANOS_PER_MILLI = 1e6;

    /** The most Services in one answer. */
    static final int MAX_ROWS = 200;

    /** For how long Services that were read are given to further questions. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final AdminSources sources;
    private final List<FamilyMeter> meters;
    private final InstantSource clock;
    private final ReadOnlyAnswers answers;
    private final Pages pages;
    private Optional<Known> known = Optional.empty();

    /**
     * All Services at one moment.
     *
     * @param nanos that moment by {@link System#nanoTime}
     * @param notCounted why there are no counts
     */
    private record Known(long nanos, long atMillis, Optional<String> notCounted, List<ServiceRow> rows) {}

    /**
     * A file of the page.
     *
     * @param type as in {@code Content-Type}
     */
    record UiFile(String type, String text) {}

    /**
     * @param meters of the families whose latencies are shown
     * @param files by name; {@code index.html} is the page
     */
    UiPages(AdminSources sources, List<FamilyMeter> meters, InstantSource clock, Map<String, UiFile> files) {
        this.sources = sources;
        this.meters = List.copyOf(meters);
        this.clock = clock;
        this.answers = new ReadOnlyAnswers(sources);
        Map<String, Function<HttpRequest, HttpAnswer>> paths = new LinkedHashMap<>();
        files.forEach((name, file) -> {
            String path = ROOT + (name.equals("index.html") ? "" : name);
            paths.put(
                    path,
                    request -> request.path().equals(path)
                            ? HttpAnswer.of(200, file.type(), file.text())
                            : HttpAnswer.NOT_FOUND);
        });
        HttpAnswer there = HttpAnswer.text(302, "").with("Location", ROOT);
        paths.put("/ui", request -> there);
        paths.put("/", request -> request.path().equals("/") ? there : HttpAnswer.NOT_FOUND);
        paths.put(ROOT + "api/status", request -> asked(List.of("status", "json")));
        paths.put(ROOT + "api/services", this::services);
        paths.put(ROOT + "api/latencies", request -> latencies());
        paths.put(
                ROOT + "api/events",
                request -> asked(List.of(
                        "monitor",
                        request.value("from").isEmpty() ? "now" : request.value("from"),
                        request.value("service").isEmpty() ? "*" : request.value("service"))));
        paths.put(ROOT + "api/explain", this::explain);
        pages = new Pages(paths);
    }

    /** Answers a request; blocks as long as the kernel takes to answer. */
    HttpAnswer answer(HttpRequest request) {
        HttpAnswer answer = isLocalName(request.host())
                ? page(request)
                : HttpAnswer.text(403, "403 call this page by an IP address or by localhost\n");
        return answer.with("Content-Security-Policy", POLICY)
                .with("Cache-Control", "no-store")
                .with("Referrer-Policy", "no-referrer")
                .with("Cross-Origin-Resource-Policy", "same-origin");
    }

    private HttpAnswer page(HttpRequest request) {
        return switch (request.method()) {
            case "GET", "HEAD" -> pages.answer(request);
            default -> HttpAnswer.METHOD_NOT_ALLOWED;
        };
    }

    /** Whether a header {@code Host} has an IP address or {@code localhost}; clients that are no browser may leave it out. */
    static boolean isLocalName(String host) {
        String name = host.replaceFirst(":\\d*$", "").toLowerCase(Locale.ROOT);
        return name.isEmpty()
                || name.equals("localhost")
                || name.matches("\\d{1,3}(\\.\\d{1,3}){3}")
                || name.matches("\\[[0-9a-f:.]+]");
    }

    private HttpAnswer asked(List<String> words) {
        return switch (answers.ask(words)) {
            case AdminClient.Answer.Report(String text, var _, var _) -> HttpAnswer.json(200, text);
            case AdminClient.Answer.Refused(String why) -> HttpAnswer.text(400, why + "\n");
            case AdminClient.Answer.Unreachable(String why) -> HttpAnswer.text(503, why + "\n");
        };
    }

    /** The text that {@code dualstackd explain} prints. */
    private HttpAnswer explain(HttpRequest request) {
        String to = request.value("destination");
        boolean named = to.matches("[a-z0-9.-]+/[a-z0-9.-]+(:.*)?");
        String source = request.value("source");
        HttpAnswer answer = named
                ? asked(List.of("explain-service", "text", source.isEmpty() ? "-" : source, to))
                : asked(List.of("explain", "text", source, to));
        return answer.status() == 200 ? HttpAnswer.text(200, answer.body()) : answer;
    }

    /** The latencies of the last hour. */
    private HttpAnswer latencies() {
        long now = clock.millis();
        return HttpAnswer.json(
                200,
                JsonPrint.indented(Tree.object("atMillis", now)
                        .with(
                                "families",
                                meters.stream()
                                        .map(meter -> Tree.object("family", meter.family())
                                                .with(
                                                        "slots",
                                                        meter.hour().slots(now).stream()
                                                                .map(UiPages::slot)
                                                                .toList()))
                                        .toList())));
    }

    private static Tree slot(LatencyHour.Slot slot) {
        return Tree.object("atMillis", slot.atMillis())
                .with("changes", slot.count())
                .with("shortestMs", slot.shortest() / NANOS_PER_MILLI)
                .with("longestMs", slot.longest() / NANOS_PER_MILLI);
    }

    private HttpAnswer services(HttpRequest request) {
        Optional<Known> read = known();
        if (read.isEmpty()) {
            return HttpAnswer.text(503, "Services are not known yet\n");
        }
        Known now = read.get();
        List<String> words = List.of(
                        request.value("filter").toLowerCase(Locale.ROOT).strip().split("\\s+"))
                .stream()
                .filter(word -> !word.isEmpty())
                .toList();
        boolean failingOnly = request.value("trouble").equals("true");
        List<ServiceRow> matching = now.rows().stream()
                .filter(row -> (!failingOnly || !row.state().equals("ok")) && row.contains(words))
                .toList();
        int from = Math.min(number(request.value("from")), matching.size());
        int count = Math.min(MAX_ROWS, number(request.value("count")));
        return HttpAnswer.json(
                200,
                JsonPrint.indented(Tree.object("atMillis", now.atMillis())
                        .with("notCounted", now.notCounted())
                        .with("all", now.rows().size())
                        .with("matching", matching.size())
                        .with("from", from)
                        .with(
                                "services",
                                matching.subList(from, Math.min(from + count, matching.size())).stream()
                                        .map(ServiceRow::tree)
                                        .toList())));
    }

    private static int number(String text) {
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
    }

    /** Reads Services and counters again, unless that was a moment ago. */
    private Optional<Known> known() {
        if (known.filter(before -> System.nanoTime() - before.nanos() < FRESH.toNanos())
                .isEmpty()) {
            known = sources.objects().get().map(this::read);
        }
        return known;
    }

    private Known read(ObjectsReport report) {
        long at = report.madeAt().toEpochMilli();
        Optional<String> notCounted = Traffic.refresh(sources.counts());
        Frontends frontends = Frontends.of(report, Optional.empty());
        IdentityHashMap<Frontends.Row, Attempts> attempts = new IdentityHashMap<>();
        if (notCounted.isEmpty()) {
            Traffic.of(at, frontends, sources.counts())
                    .rows()
                    .forEach(row -> attempts.put(row.frontend(), row.attempts()));
        }
        return new Known(System.nanoTime(), at, notCounted, ServiceRow.all(frontends, attempts));
    }
}
