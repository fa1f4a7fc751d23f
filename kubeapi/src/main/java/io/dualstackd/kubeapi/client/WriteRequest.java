package io.dualstackd.kubeapi.client;

import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.tree.Tree;

/**
 * A request that changes something.
 *
 * @param method {@code POST} or {@code PATCH}
 * @param path with the leading slash
 * @param contentType of the body
 * @param body JSON
 */
public record WriteRequest(String method, String path, String contentType, String body) {
    static final String JSON = "application/json";
    /** Lists are merged by the key that the API gives them, if any. */
    static final String STRATEGIC = "application/strategic-merge-patch+json";

    /** Lists are replaced. */
    static final String MERGE = "application/merge-patch+json";

    public static WriteRequest post(String path, Tree body) {
        return new WriteRequest("POST", path, JSON, JsonPrint.compact(body));
    }

    public static WriteRequest patch(String path, Tree body) {
        return new WriteRequest("PATCH", path, STRATEGIC, JsonPrint.compact(body));
    }

    public static WriteRequest merge(String path, Tree body) {
        return new WriteRequest("PATCH", path, MERGE, JsonPrint.compact(body));
    }

    /** {@code PATCH /api/v1/nodes/n1/status}. */
    @Override
    public String toString() {
        return method + " " + path;
    }
}
