package io.dualstackd.agent.source;

import io.dualstackd.agent.view.Destination;
import io.dualstackd.dataplane.model.ServiceKey;

/**
 * A destination that two Services name.
 *
 * @param holder has it and answers
 * @param loser does without
 */
public record DestinationConflict(Destination what, ServiceKey holder, ServiceKey loser) {}
