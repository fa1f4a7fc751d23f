package io.dualstackd.pods.endpoint;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;

/**
 * What one slice of a Service holds.
 *
 * @param number tells the slices of one family apart, from 0
 * @param ports of all members
 * @param members at most {@link SlicePacker#MOST}; none in the slice of a Service without pods
 */
record SliceDraft(IpFamily family, int number, List<EndpointSlice.Port> ports, List<Member> members) {
    SliceDraft {
        ports = List.copyOf(ports);
        members = List.copyOf(members);
    }

    /** A pod in it. */
    record Member(PodRef pod, EndpointSlice.Endpoint endpoint) {}
}
