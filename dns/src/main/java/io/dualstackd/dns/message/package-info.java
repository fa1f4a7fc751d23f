/**
 * DNS messages as values, and their encoding (RFC 1035, RFC 6891): queries of clients, answers to them, and answers of upstream resolvers.
 */
@NullMarked
package io.dualstackd.dns.message;

import org.jspecify.annotations.NullMarked;
