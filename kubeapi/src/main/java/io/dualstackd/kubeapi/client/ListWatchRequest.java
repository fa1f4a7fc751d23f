package io.dualstackd.kubeapi.client;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** A list or watch request for a {@link Resource}. */
public sealed interface ListWatchRequest {
    /** Objects per page, as in client-go. */
    int PAGE = 500;

    /** A streamed list (KEP-3157): all existing objects as events, and then changes. Servers before 1.32 may refuse it. */
    record StreamedList() implements ListWatchRequest {}

    /**
     * One page of a list.
     *
     * @param token the continue token; empty for the first page
     * @param whole without pages: a token expired, and the next one may expire, too; or the server shall answer from its cache, which it
     *     does not do for pages of a certain version
     * @param atLeast the minimum version; {@code 0}: any that the server has in its cache; empty: only the newest, for which servers before
     *     1.31 read etcd
     */
    record Page(Optional<String> token, boolean whole, String atLeast) implements ListWatchRequest {
        /** Before anything is known: the requests of a thousand nodes that start together must not reach etcd. */
        static final Page FIRST = new Page(Optional.empty(), false, "0");

        /** When a version has expired; the server's cache may be older than that version. */
        static final Page NEWEST = new Page(Optional.empty(), false, "");

        static Page since(String version) {
            return new Page(Optional.empty(), true, version);
        }
    }

    /**
     * A watch for changes after a version.
     *
     * @param first begins at the end of a list, and has neither delivered an event nor lasted a while
     */
    record Watch(String resourceVersion, boolean first) implements ListWatchRequest {
        public Watch(String resourceVersion) {
            this(resourceVersion, false);
        }
    }

    /** The verb that a role must allow. */
    default String verb() {
        return switch (this) {
            case StreamedList ignored -> "watch";
            case Page ignored -> "list";
            case Watch ignored -> "watch";
        };
    }

    /** Whether the response begins a list, so that what was received of an earlier one is no longer needed. */
    default boolean beginsList() {
        return this instanceof StreamedList || (this instanceof Page page && page.token.isEmpty());
    }

    /** Whether the response lasts for minutes. */
    default boolean isWatch() {
        return !(this instanceof Page);
    }

    /**
     * Returns path and query.
     *
     * @param timeoutSeconds after which the server ends a watch
     */
    default String target(Resource resource, int timeoutSeconds) {
        Query query = query(resource);
        switch (this) {
            case StreamedList ignored ->
                query.watch(timeoutSeconds)
                        .add("sendInitialEvents", "true")
                        .add("resourceVersionMatch", "NotOlderThan");
            case Page(Optional<String> token, boolean whole, String atLeast) -> {
                if (!whole) {
                    query.add("limit", Integer.toString(PAGE));
                }
                if (token.isPresent()) {
                    query.add("continue", token.get());
                } else if (!atLeast.isEmpty()) {
                    query.add("resourceVersion", atLeast);
                }
            }
            case Watch(String version, boolean ignored) ->
                query.watch(timeoutSeconds).add("resourceVersion", version);
        }
        return query.text.toString();
    }

    /** The path and the selectors of all requests for a resource. */
    static String selection(Resource resource) {
        return query(resource).text.toString();
    }

    private static Query query(Resource resource) {
        Query query = new Query(resource.path());
        resource.labels().ifPresent(labels -> query.add("labelSelector", labels));
        resource.fields().ifPresent(fields -> query.add("fieldSelector", fields));
        return query;
    }

    /** A target that is being built. */
    final class Query {
        private final StringBuilder text;
        private char next = '?';

        private Query(String path) {
            text = new StringBuilder(path);
        }

        private Query add(String name, String value) {
            text.append(next).append(name).append('=');
            for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
                if (isPlain((char) (b & 0xff))) {
                    text.append((char) b);
                } else {
                    text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
                }
            }
            next = '&';
            return this;
        }

        /** Whether this is one of RFC 3986's unreserved characters. */
        private static boolean isPlain(char c) {
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            return letter || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0;
        }

        private Query watch(int timeoutSeconds) {
            return add("watch", "true")
                    .add("allowWatchBookmarks", "true")
                    .add("timeoutSeconds", Integer.toString(timeoutSeconds));
        }
    }
}
