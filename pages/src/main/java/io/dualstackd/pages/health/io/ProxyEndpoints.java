package io.dualstackd.pages.health.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.pages.health.HttpAnswer;
import io.dualstackd.pages.health.HttpRequest;
import io.dualstackd.pages.health.Listening;
import io.dualstackd.pages.health.Pages;
import io.dualstackd.pages.health.ProxyAddresses;
import io.dualstackd.supervision.sys.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The proxy's own two addresses: one for load balancers and supervisors, one for monitoring. */
public final class ProxyEndpoints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("health");
    private static final Duration RETRY = Duration.ofSeconds(5);

    private static final Ip LOCALHOST = Ip.parse("127.0.0.1");
    private static final Ip IPV6_LOOPBACK = Ip.parse("::1");

    /**
     * The pages of one address.
     *
     * @param onClosed receives why it cannot be opened, if the daemon starts nevertheless; once, although opening is tried again
     */
    public record Server(Pages pages, Consumer<String> onClosed) {}

    private final HttpListeners loop;
    private final Platform platform;
    private final Platform.Latch closed;
    /** Why a server is not open, by its name. */
    private final Map<String, String> problems = new ConcurrentSkipListMap<>();

    private ProxyEndpoints(HttpListeners loop, Platform platform) {
        this.platform = platform;
        this.closed = platform.latch();
        this.loop = loop;
    }

    /**
     * Listens on the addresses, or keeps trying to.
     *
     * @param healthz for load balancers and supervisors
     * @param metrics for monitoring
     * @throws IOException when listening on an address fails and that is fatal
     */
    public static ProxyEndpoints start(
            HttpListeners loop, ProxyAddresses where, Server healthz, Server metrics, Platform platform)
            throws IOException {
        ProxyEndpoints endpoints = new ProxyEndpoints(loop, platform);
        if (where.healthz().isPresent()) {
            endpoints.keep("healthz", where.healthz().get(), where.hardFail(), healthz);
        }
        if (where.metrics().isPresent()) {
            endpoints.keep("metrics", where.metrics().get(), where.hardFail(), metrics);
        }
        return endpoints;
    }

    /**
     * Listens on one address, or keeps trying to.
     *
     * @param name for messages
     * @param onClosed receives why it cannot be opened, once
     * @param onOpen called when it is open after all
     */
    public static ProxyEndpoints start(
            HttpListeners loop,
            String name,
            Listening where,
            HttpHandler handler,
            Consumer<String> onClosed,
            Runnable onOpen,
            Platform platform)
            throws IOException {
        ProxyEndpoints endpoints = new ProxyEndpoints(loop, platform);
        endpoints.keep(name, where, false, handler, onClosed, onOpen);
        return endpoints;
    }

    private static HttpHandler handler(Pages pages) {
        return new HttpHandler() {
            @Override
            public Optional<HttpAnswer> answer(HttpRequest request, Ip localAddress) {
                return Optional.of(pages.answer(request));
            }

            @Override
            public boolean takesLong(HttpRequest request) {
                return pages.takesLong(request);
            }
        };
    }

    private void keep(String name, Listening where, boolean hardFail, Server server) throws IOException {
        keep(name, where, hardFail, handler(server.pages()), server.onClosed(), () -> {});
    }

    private void keep(
            String name,
            Listening where,
            boolean hardFail,
            HttpHandler handler,
            Consumer<String> onClosed,
            Runnable onOpen)
            throws IOException {
        try {
            open(where, handler);
        } catch (IOException e) {
            if (hardFail) {
                throw e;
            }
            LOG.error("{} server not open reason=\"{}\" next=retry-every-{}s", name, e.getMessage(), RETRY.toSeconds());
            problems.put(name, where + " " + name + ": " + e.getMessage());
            onClosed.accept("cannot listen on " + where + ": " + e.getMessage());
            platform.thread("bind-" + name, () -> tryOn(name, where, handler, onOpen))
                    .start();
        }
    }

    private void tryOn(String name, Listening where, HttpHandler handler, Runnable onOpen) {
        try {
            while (!closed.await(RETRY)) {
                try {
                    open(where, handler);
                    problems.remove(name);
                    LOG.info("{} server open address={}", name, where);
                    onOpen.run();
                    return;
                } catch (IOException e) {
                    LOG.debug("{} server not open reason=\"{}\"", name, e.getMessage());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Opens a listener; on a node without 127.0.0.1, on the loopback address that it has. */
    private void open(Listening where, HttpHandler handler) throws IOException {
        try {
            loop.listen(where, handler);
        } catch (IOException e) {
            if (!where.ip().filter(LOCALHOST::equals).isPresent()
                    || !String.valueOf(e.getMessage()).contains("Cannot assign requested address")) {
                throw e;
            }
            loop.listen(new Listening(Optional.of(IPV6_LOOPBACK), where.port()), handler);
        }
    }

    /** The servers that are not open: address, name and reason. */
    public List<String> problems() {
        return List.copyOf(problems.values());
    }

    /** Stops trying; the open listeners end with the loop. */
    @Override
    public void close() {
        closed.open();
    }
}
