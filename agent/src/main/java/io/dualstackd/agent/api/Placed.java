package io.dualstackd.agent.api;

import io.dualstackd.agent.tree.Place;

/** An object and where it was written. */
public record Placed(ApiObject object, Place.InFile place) {}
