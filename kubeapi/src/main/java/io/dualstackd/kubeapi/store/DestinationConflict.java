package io.dualstackd.kubeapi.store;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.view.Destination;

/**
 * A destination that two Services name.
 *
 * @param holder the Service that serves it
 * @param loser the Service that does not get it
 */
public record DestinationConflict(Destination what, ServiceKey holder, ServiceKey loser) {}
