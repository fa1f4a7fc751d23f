package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.diff.Fingerprint;
import io.dualstackd.netlink.nft.NftHook;
import java.util.Optional;

/**
 * A chain as it is.
 *
 * @param hook empty for a chain that others lead to
 * @param content of its rules in order
 * @param rules how many
 */
public record ChainFingerprint(Optional<NftHook> hook, Fingerprint content, int rules) {}
