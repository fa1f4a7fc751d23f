package io.dualstackd.pages.ui.io;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.pages.health.Listening;
import io.dualstackd.pages.health.io.HttpLoop;
import io.dualstackd.pages.health.io.ProxyEndpoints;
import io.dualstackd.pages.metrics.FamilyMeter;
import io.dualstackd.pages.ui.ServiceRow;
import io.dualstackd.pages.ui.io.UiPages.UiFile;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Serves the page in the browser. */
public final class UiServer implements AutoCloseable {
    private static final Map<String, String> FILES = Map.of(
            "index.html", "text/html; charset=utf-8",
            "style.css", "text/css; charset=utf-8",
            "app.js", "text/javascript; charset=utf-8",
            "plot.js", "text/javascript; charset=utf-8",
            "services.js", "text/javascript; charset=utf-8",
            "icon.svg", "image/svg+xml");

    private final HttpLoop loop;
    private final AtomicReference<Optional<String>> closed = new AtomicReference<>(Optional.empty());

    private Optional<ProxyEndpoints> endpoint = Optional.empty();

    private UiServer(HttpLoop loop) {
        this.loop = loop;
    }

    /**
     * Starts to serve, or keeps trying to listen.
     *
     * @param ns the network namespace it listens in
     * @param meters of the families whose latencies are shown
     * @throws IOException when the program lacks files
     */
    public static UiServer start(
            Listening where, NetNs ns, AdminSources sources, List<FamilyMeter> meters, Supervisor supervisor)
            throws IOException {
        UiPages pages = new UiPages(sources, meters, supervisor.platform(), files());
        UiServer server = new UiServer(HttpLoop.start(ns, Component.UI, supervisor));
        server.endpoint = Optional.of(ProxyEndpoints.start(
                server.loop,
                "ui",
                where,
                (request, localAddress) -> Optional.of(pages.answer(request)),
                why -> server.closed.set(Optional.of("the page for browsers: " + why)),
                () -> server.closed.set(Optional.empty()),
                supervisor.platform()));
        return server;
    }

    /** Why the page cannot be reached. */
    public Optional<String> note() {
        return closed.get();
    }

    static Map<String, UiFile> files() throws IOException {
        Map<String, UiFile> files = new LinkedHashMap<>();
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            try (InputStream in = ServiceRow.class.getResourceAsStream(file.getKey())) {
                if (in == null) {
                    throw new IOException("the program lacks its file " + file.getKey());
                }
                files.put(
                        file.getKey(),
                        new UiFile(file.getValue(), new String(in.readAllBytes(), StandardCharsets.UTF_8)));
            }
        }
        return files;
    }

    @Override
    public void close() {
        endpoint.ifPresent(ProxyEndpoints::close);
        loop.close();
    }
}
