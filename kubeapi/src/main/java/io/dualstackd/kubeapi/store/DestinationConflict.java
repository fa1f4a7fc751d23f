package io.dualstackd.kubeapi.store;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.kubeapi.view.Destination;

/**
 * A destination that two Services name.
 *
 * @param holder has it and answers
 * @param loser does without
 */
public record DestinationConflict(Destination what, ServiceKey holder, ServiceKey loser) {}
