package io.dualstackd.pods.endpoint;

import io.dualstackd.kubeapi.objects.EndpointSlice;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;

/**
 * The content of one slice of a Service.
 *
 * @param number distinguishes the slices of one family, from 0
 * @param ports of all members
 * @param members at most {@link SlicePacker#MOST}; none in the slice of a Service without pods
 */
record SliceDraft(IpFamily family, int number, List<EndpointSlice.Port> ports, List<Member> members) {
    SliceDraft {
        ports = List.copyOf(ports);
        members = List.copyOf(members);
    }

    /** One pod in the slice. */
    record Member(PodRef pod, EndpointSlice.Endpoint endpoint) {}
}
