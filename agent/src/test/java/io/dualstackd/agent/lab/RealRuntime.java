package io.dualstackd.agent.lab;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A test with a {@link PodLab} or a Docker engine: only root of the machine can run it, not root of a user namespace. */
@Tag("real-runtime")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RealRuntime {}
