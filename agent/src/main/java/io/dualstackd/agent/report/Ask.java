package io.dualstackd.agent.report;

/**
 * A request that changes something.
 *
 * @param method {@code POST} or {@code PATCH}
 * @param path with the first slash
 * @param contentType of the body
 * @param body JSON
 */
public record Ask(String method, String path, String contentType, String body) {
    static final String JSON = "application/json";
    /** Lists are merged by the key that the API gives them, if any. */
    static final String STRATEGIC = "application/strategic-merge-patch+json";

    /** Lists are replaced. */
    static final String MERGE = "application/merge-patch+json";

    static Ask post(String path, Object body) {
        return new Ask("POST", path, JSON, JsonBody.of(body));
    }

    static Ask patch(String path, Object body) {
        return new Ask("PATCH", path, STRATEGIC, JsonBody.of(body));
    }

    static Ask merge(String path, Object body) {
        return new Ask("PATCH", path, MERGE, JsonBody.of(body));
    }

    /** {@code PATCH /api/v1/nodes/n1/status}. */
    @Override
    public String toString() {
        return method + " " + path;
    }
}
