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

    /** Replaces the values of {@code counters} by those of the kernel; returns why that failed. */
    default Optional<String> refresh(RuleCounters counters) {
        RuleCounters.Reading values = counters.begin();
        Optional<String> failed = read(values);
        if (failed.isEmpty()) {
            counters.end(values);
        } else {
            counters.abandon();
        }
        return failed;
    }

    /** The packets at the rules that translate to endpoints. */
    EndpointCounts endpoints(Collection<CountedEndpoint> wanted);
}
