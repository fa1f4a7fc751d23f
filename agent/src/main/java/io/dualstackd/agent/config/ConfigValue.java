package io.dualstackd.agent.config;

import io.dualstackd.kubeapi.tree.Place;

/** A value of a key and where it was given; lists are joined by commas. */
public record ConfigValue(String text, Place place) {}
