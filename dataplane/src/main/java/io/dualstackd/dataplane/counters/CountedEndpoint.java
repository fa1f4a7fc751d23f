package io.dualstackd.dataplane.counters;

import io.dualstackd.dataplane.model.ServicePort;
import io.dualstackd.netlink.ip.IpPort;

/** An endpoint as one of those of a Service port: connections to it are counted for each port that has it. */
public record CountedEndpoint(ServicePort port, IpPort address) {}
