@NullMarked
package io.dualstackd.agent.dns;

import org.jspecify.annotations.NullMarked;
