@NullMarked
package io.dualstackd.agent.dns.io;

import org.jspecify.annotations.NullMarked;
