package io.dualstackd.kubeapi.objects;

import io.dualstackd.kubeapi.tree.Place;

/** An object and where it was written. */
public record LocatedObject(ApiObject object, Place.InFile place) {}
