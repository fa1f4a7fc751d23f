/** The wiring of the daemon: {@link io.dualstackd.agent.app.Daemon} creates all parts that run and passes each part its dependencies. */
@NullMarked
package io.dualstackd.agent.app;

import org.jspecify.annotations.NullMarked;
