package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Place;

/** An object and the place where it was written. */
public record LocatedObject(ApiObject object, Place.InFile place) {}
