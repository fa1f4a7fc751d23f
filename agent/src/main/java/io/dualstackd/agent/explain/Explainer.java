package io.dualstackd.agent.explain;

import io.dualstackd.dataplane.explain.Explanation;

/** Who knows what becomes of packets on this node. */
public interface Explainer {
    /** Any thread may ask; takes as long as the kernel needs for some answers. */
    Explanation explain(ExplainRequest explainRequest);
}
