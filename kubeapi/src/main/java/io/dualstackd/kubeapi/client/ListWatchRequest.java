package io.dualstackd.kubeapi.client;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** A question about a {@link Resource}. */
public sealed interface ListWatchRequest {
    /** Objects per page: as many as client-go asks for. */
    int PAGE = 500;

    /** Everything there is, as events, and then what changes. Servers since 1.32 know it, those before may refuse. */
    record StreamedList() implements ListWatchRequest {}

    /**
     * One page of everything there is.
     *
     * @param token where to continue; empty for the first page
     * @param whole not in pages: a token ran out of its time, and the next one may, too; or a server shall answer from memory, which those
     *     who are asked for pages of a certain version do not
     * @param atLeast no older version will do; {@code 0}: any that the server has in memory; empty: only the newest, for which servers before
     *     1.31 ask etcd
     */
    record Page(Optional<String> token, boolean whole, String atLeast) implements ListWatchRequest {
        /** Before anything is known: what a thousand nodes that start together ask for must not reach etcd. */
        static final Page FIRST = new Page(Optional.empty(), false, "0");

        /** When a version is known to be forgotten, and what is in memory may be from before it. */
        static final Page NEWEST = new Page(Optional.empty(), false, "");

        static Page since(String version) {
            return new Page(Optional.empty(), true, version);
        }
    }

    /**
     * What changes from here on.
     *
     * @param first begins where a list ended, and has neither told anything nor lasted a while
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

    /** Whether the answer goes on for minutes. */
    default boolean isWatch() {
        return !(this instanceof Page);
    }

    /**
     * Path and query.
     *
     * @param timeoutSeconds after which the server shall end a watch
     */
    default String target(Resource resource, int timeoutSeconds) {
        Query query = new Query(resource.path());
        resource.labels().ifPresent(labels -> query.add("labelSelector", labels));
        resource.fields().ifPresent(fields -> query.add("fieldSelector", fields));
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

    /** A target as it grows. */
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

        /** RFC 3986's unreserved characters. */
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
