package io.dualstackd.admin.explain;

import io.dualstackd.explain.Explanation;

/** Explains what happens to packets on this node. */
public interface Explainer {
    /** Explains a packet. May be called from any thread; takes as long as the kernel needs for some requests. */
    Explanation explain(ExplainRequest explainRequest);
}
