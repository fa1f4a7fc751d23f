/**
 * The parts of Kubernetes objects that a service proxy reads, as small immutable records, and the decoder that fills them from
 * text: {@link io.dualstackd.kubeapi.objects.Service}, {@link io.dualstackd.kubeapi.objects.EndpointSlice},
 * {@link io.dualstackd.kubeapi.objects.Node}, {@link io.dualstackd.kubeapi.objects.Manifests}.
 *
 * <p>In: trees of {@code v1} and {@code discovery.k8s.io/v1} objects as {@code kubectl get -o yaml} prints them or a person writes
 * them. Out: records with the API server's defaults applied, and problems where its validation would refuse. Must not touch: files,
 * clocks, and what a proxy makes of the objects ({@link io.dualstackd.kubeapi.view} decides that).
 *
 * <p>The one surprising thing: fields of the API that a proxy never reads ({@code appProtocol}, {@code loadBalancerClass}, …) are known and
 * skipped without validation; only names that the API does not have cause the "unknown fields" warning.
 */
@NullMarked
package io.dualstackd.kubeapi.objects;

import org.jspecify.annotations.NullMarked;
