/**
 * A real container runtime for tests: containerd with runc and the CNI plugins of the distribution, images that need no registry,
 * and the network of one node with a client outside.
 *
 * <p>In: which pods are wanted, which CNI configuration, which misfortune (a killed pause process, a killed runtime, a missing
 * socket). Out: sandboxes that answer over HTTP with their name, in both families. Must not touch anything of the host: everything
 * runs in an {@link io.dualstackd.agent.lab.IsolatedHost} of network, mount and process namespaces.
 *
 * <p>The one surprising thing: there is nothing to clean up. The first process of an isolated host ends when the test's JVM does, however
 * that ends, and the kernel takes every process and mount of it with it; only empty cgroups and a folder stay, and the next
 * laboratory removes those.
 */
@NullMarked
package io.dualstackd.agent.lab;

import org.jspecify.annotations.NullMarked;
