/**
 * Code generated from {@code src/main/proto}: the part of the Container Runtime Interface, {@code runtime.v1} as of Kubernetes 1.36,
 * that dualstackd speaks.
 *
 * <p>In: nothing. Out: messages and stubs, for {@code pods.cri} and {@code pods.cri.io} only. Must not touch: nothing is written
 * here by hand but this page and the {@code .proto} files.
 *
 * <p>The one surprising thing: {@code SANDBOX_READY} is the zero value, so a message without a state says "ready".
 */
package io.dualstackd.cri.v1;
