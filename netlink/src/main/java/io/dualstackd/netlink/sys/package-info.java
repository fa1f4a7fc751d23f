/**
 * The only access to native code: libc through JNR-FFI ({@link io.dualstackd.netlink.sys.Sockets}, {@link io.dualstackd.netlink.sys.NetNs},
 * {@link io.dualstackd.netlink.sys.Fd}), and the kernel's data about this process under {@code /proc} ({@link
 * io.dualstackd.netlink.sys.Capabilities}, {@link io.dualstackd.netlink.sys.Sysctl}).
 *
 * <p>In: numbers, buffers, paths. Out: numbers, {@link io.dualstackd.netlink.sys.Fd}s, or a
 * {@link io.dualstackd.netlink.sys.SysException} with the call's name and its {@link io.dualstackd.netlink.sys.Errno}. Must not
 * touch: policy, retries other than after {@code EINTR}, logging.
 *
 * <p>The one surprising thing: a network namespace belongs to one operating system thread. Code runs inside a namespace on a platform
 * thread that is created for it and ends after it, so no thread of the caller ever returns in the wrong namespace.
 */
@NullMarked
package io.dualstackd.netlink.sys;

import org.jspecify.annotations.NullMarked;
