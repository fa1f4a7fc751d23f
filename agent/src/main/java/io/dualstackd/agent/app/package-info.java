/** The wiring of the daemon: {@link io.dualstackd.agent.app.Daemon} makes everything that runs and hands each part what it needs. */
@NullMarked
package io.dualstackd.agent.app;

import org.jspecify.annotations.NullMarked;
