package io.dualstackd.dataplane.counters.io;

import io.dualstackd.dataplane.counters.CountedEndpoint;
import io.dualstackd.dataplane.counters.EndpointCounts;
import io.dualstackd.dataplane.counters.RuleCounters;
import java.util.Collection;
import java.util.Optional;

/** The rules of one family in a kernel, with their counters. */
interface CountedRules {
    /** Reads the counters of all counted rules; returns why that failed. */
    Optional<String> read(RuleCounters.Reading into);

    /** The packets at the rules that translate to endpoints. */
    EndpointCounts endpoints(Collection<CountedEndpoint> asked);
}
