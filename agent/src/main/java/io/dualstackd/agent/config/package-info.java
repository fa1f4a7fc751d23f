/**
 * The configuration of the daemon: {@link io.dualstackd.agent.config.AgentConfig} and the {@link io.dualstackd.agent.config.ConfigReader}
 * that makes it from a file and command-line flags.
 *
 * <p>In: text. Out: a complete, checked configuration, or every problem at once, each with place, value and rule. Must not touch: files,
 * the environment, the command line itself.
 *
 * <p>The one surprising thing: the file is kube-proxy's ({@code kubeproxy.config.k8s.io/v1alpha1}) with one section of our own,
 * {@code dualstackd}; every key is declared once, in {@link io.dualstackd.agent.config.Key}, for the file and for the flag.
 */
@NullMarked
package io.dualstackd.agent.config;

import org.jspecify.annotations.NullMarked;
