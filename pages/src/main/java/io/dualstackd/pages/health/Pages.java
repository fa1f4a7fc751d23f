package io.dualstackd.pages.health;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Read-only pages by their paths. A path that ends in a slash matches all that begin with it. */
public final class Pages {
    private final TreeMap<String, Function<HttpRequest, HttpAnswer>> pages;
    private final Set<String> slow;

    /** @param pages called for every answer; must not block */
    public Pages(Map<String, Function<HttpRequest, HttpAnswer>> pages) {
        this(pages, Set.of());
    }

    /** @param slow the paths of pages that may block */
    public Pages(Map<String, Function<HttpRequest, HttpAnswer>> pages, Set<String> slow) {
        this.pages = new TreeMap<>(pages);
        this.slow = Set.copyOf(slow);
    }

    /** Whether making the answer may block. */
    public boolean takesLong(HttpRequest request) {
        return slow.contains(request.path());
    }

    /** The paths in order. */
    public Set<String> paths() {
        return Collections.unmodifiableSet(pages.keySet());
    }

    /** The answer, whatever the method: load balancers ask with OPTIONS, for example, and kube-proxy answers any. */
    public HttpAnswer answer(HttpRequest request) {
        Function<HttpRequest, HttpAnswer> page = pages.get(request.path());
        if (page == null) {
            page = pages.get(request.path().substring(0, request.path().lastIndexOf('/') + 1));
        }
        if (page == null) {
            return HttpAnswer.NOT_FOUND;
        }
        return page.apply(request);
    }
}
