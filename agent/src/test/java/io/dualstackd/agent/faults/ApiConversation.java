package io.dualstackd.agent.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dualstackd.agent.faults.ObjectStore.Event;
import io.dualstackd.agent.faults.ObjectStore.News;
import io.dualstackd.agent.faults.ObjectStore.Place;
import io.dualstackd.agent.faults.ObjectStore.Versioned;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.wire.ApiStatus;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** One connection of a client, request by request. */
final class ApiConversation {
    private static final Map<String, ObjectKey.Kind> PATHS = Map.of(
            "/api/v1/services", ObjectKey.Kind.SERVICE,
            "/api/v1/nodes", ObjectKey.Kind.NODE,
            "/apis/discovery.k8s.io/v1/endpointslices", ObjectKey.Kind.ENDPOINT_SLICE,
            "/apis/networking.k8s.io/v1/servicecidrs", ObjectKey.Kind.SERVICE_CIDR);
    private static final long BOOKMARK_NANOS = 20_000_000_000L;
    private static final byte[] GARBAGE =
            "\u0007\u0007\u0007\u0007 not what you asked for \u0001\u0002{[\"".getBytes(US_ASCII);

    private final ObjectStore objects;
    private final ServerFaults faults;
    private final InputStream in;
    private final OutputStream out;

    ApiConversation(ObjectStore objects, ServerFaults faults, Socket socket) throws IOException {
        this.objects = objects;
        this.faults = faults;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = new BufferedOutputStream(socket.getOutputStream(), 65_536);
    }

    private record Request(String method, String path, Map<String, String> query, boolean proto) {}

    void run() throws IOException, InterruptedException {
        while (true) {
            faults.gate();
            Request request = read();
            faults.gate();
            answer(request);
        }
    }

    private Request read() throws IOException {
        String[] first = line().split(" ", -1);
        if (first.length < 3) {
            throw new IOException("no request");
        }
        int length = 0;
        boolean proto = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            } else if (lower.startsWith("accept:")) {
                proto = lower.contains("protobuf");
            }
        }
        in.skipNBytes(length);
        String[] target = first[1].split("\\?", 2);
        Map<String, String> query = new HashMap<>();
        if (target.length > 1) {
            for (String pair : target[1].split("&", -1)) {
                String[] parts = pair.split("=", 2);
                query.put(parts[0], parts.length > 1 ? parts[1] : "");
            }
        }
        return new Request(first[0], target[0], query, proto);
    }

    private String line() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            if (c != '\r') {
                text.append((char) c);
            }
        }
        return text.toString();
    }

    private void answer(Request request) throws IOException, InterruptedException {
        Optional<ApiStatus> instead = faults.instead();
        ObjectKey.Kind kind = PATHS.get(request.path());
        if (instead.isPresent()) {
            refuse(instead.get());
        } else if (!request.method().equals("GET")) {
            whole(201, "application/json", "{}".getBytes(US_ASCII));
        } else if (kind == null) {
            refuse(ApiStatus.of(404));
        } else if ("true".equals(request.query().get("watch"))) {
            watch(request, kind);
        } else {
            list(request, kind);
        }
    }

    private void refuse(ApiStatus status) throws IOException {
        whole(status.code(), "application/json", ApiWriting.status(status));
    }

    private void whole(int code, String type, byte[] body) throws IOException {
        out.write(("HTTP/1.1 " + code + " said\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length
                        + "\r\n\r\n")
                .getBytes(US_ASCII));
        out.write(body);
        out.flush();
    }

    private void list(Request request, ObjectKey.Kind kind) throws IOException {
        ApiWriting writing = new ApiWriting(request.proto());
        List<Versioned> all;
        long version;
        synchronized (objects) {
            all = objects.all(kind);
            version = objects.now().version();
        }
        whole(200, writing.mediaType(), faults.isGarbage() ? GARBAGE : writing.list(kind, all, version));
    }

    private void watch(Request request, ObjectKey.Kind kind) throws IOException, InterruptedException {
        ApiWriting writing = new ApiWriting(request.proto());
        boolean initial = "true".equals(request.query().get("sendInitialEvents"));
        String from = request.query().getOrDefault("resourceVersion", "");
        Place since = objects.at(from.isEmpty() ? 0 : Long.parseLong(from));
        if (!initial && !objects.knows(since)) {
            refuse(expired());
            return;
        }
        out.write(("HTTP/1.1 200 OK\r\nContent-Type: " + writing.mediaType()
                        + ";stream=watch\r\nTransfer-Encoding: chunked\r\n\r\n")
                .getBytes(US_ASCII));
        if (initial) {
            since = everything(writing, kind);
        }
        out.flush();
        follow(writing, kind, since, Integer.parseInt(request.query().getOrDefault("timeoutSeconds", "600")));
        out.write("0\r\n\r\n".getBytes(US_ASCII));
        out.flush();
    }

    private Place everything(ApiWriting writing, ObjectKey.Kind kind) throws IOException {
        List<Versioned> all;
        Place now;
        synchronized (objects) {
            all = objects.all(kind);
            now = objects.now();
        }
        for (Versioned each : all) {
            chunk(writing.event("ADDED", each));
        }
        chunk(writing.bookmark(kind, now.version(), true));
        return now;
    }

    private void follow(ApiWriting writing, ObjectKey.Kind kind, Place begin, int seconds)
            throws IOException, InterruptedException {
        Place since = begin;
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long bookmark = System.nanoTime() + BOOKMARK_NANOS;
        while (System.nanoTime() < end) {
            faults.gate();
            if (faults.isGarbage()) {
                chunk(GARBAGE);
                out.flush();
                throw new IOException("garbage sent");
            }
            Optional<News> news = objects.since(since, kind, 200);
            if (news.isEmpty()) {
                chunk(writing.error(expired()));
                return;
            }
            for (Event event : news.get().events()) {
                chunk(writing.event(event.type(), new Versioned(event.object(), event.version())));
            }
            since = news.get().upTo();
            if (System.nanoTime() > bookmark) {
                chunk(writing.bookmark(kind, since.version(), false));
                bookmark = System.nanoTime() + BOOKMARK_NANOS;
            }
            out.flush();
        }
    }

    private static ApiStatus expired() {
        return new ApiStatus(410, "Expired", "too old resource version", OptionalInt.empty());
    }

    private void chunk(byte[] bytes) throws IOException {
        out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(US_ASCII));
        out.write(bytes);
        out.write("\r\n".getBytes(US_ASCII));
    }
}
