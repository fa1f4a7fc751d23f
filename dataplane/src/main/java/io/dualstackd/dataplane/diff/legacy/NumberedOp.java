package io.dualstackd.dataplane.diff.legacy;

import io.dualstackd.dataplane.diff.Op;

/**
 * A step, with the number of the rule it places.
 *
 * @param number 0 for steps that place none
 */
public record NumberedOp(Op op, long number) {}
