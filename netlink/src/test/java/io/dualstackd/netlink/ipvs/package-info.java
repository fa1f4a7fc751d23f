/** Messages as {@code ipvsadm} and a kernel with IPVS wrote them; the kernel tests run on need not have it. */
@org.jspecify.annotations.NullMarked
package io.dualstackd.netlink.ipvs;
