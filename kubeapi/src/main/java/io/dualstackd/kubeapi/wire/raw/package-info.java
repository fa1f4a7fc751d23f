/**
 * Objects of the API server as they are read, before defaults: the fields of each message with their names and numbers, a reader for each
 * encoding, the values that were invalid, and the records made of the rest. Reads bytes in memory; no input or output.
 */
@NullMarked
package io.dualstackd.kubeapi.wire.raw;

import org.jspecify.annotations.NullMarked;
