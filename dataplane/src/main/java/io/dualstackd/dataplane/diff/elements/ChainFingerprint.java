package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.netlink.nft.NftHook;
import java.util.Optional;

/**
 * A chain as it is in the kernel.
 *
 * @param hook empty for a chain that is only jumped to
 * @param content of its rules in order
 * @param rules the number of its rules
 */
public record ChainFingerprint(Optional<NftHook> hook, Fingerprint content, int rules) {}
