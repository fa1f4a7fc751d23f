package io.dualstackd.netlink.io;

import io.dualstackd.netlink.generic.ControlCodec;
import io.dualstackd.netlink.generic.GenericFamily;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.sys.NetNs;
import java.util.List;
import java.util.Optional;

/** Lists the generic netlink families of the kernel. For one thread at a time. */
public final class GenericClient implements AutoCloseable {
    private final NetlinkConnection kernel;

    public GenericClient(NetlinkConnection kernel) {
        this.kernel = kernel;
    }

    /** For a given namespace. */
    public static GenericClient open(NetNs ns) throws NetlinkException {
        return new GenericClient(new NetlinkConnection(NlSocket.open(NlProtocol.GENERIC, ns)));
    }

    /** The family of that name; empty when neither the kernel nor a loadable module has it. */
    public Optional<GenericFamily> family(String name) throws NetlinkException {
        Request request = new Request(
                "find generic netlink family " + name, ControlCodec.TYPE, 0, w -> ControlCodec.writeAsk(w, name));
        return kernel.find(request, Errno.ENOENT, message -> ControlCodec.read(message.body("CTRL_CMD_NEWFAMILY")));
    }

    /** The families that are currently registered. */
    public List<GenericFamily> families() throws NetlinkException {
        return kernel.dump(
                new Request("list generic netlink families", ControlCodec.TYPE, 0, ControlCodec::writeAskAll),
                message -> ControlCodec.read(message.body("CTRL_CMD_NEWFAMILY")));
    }

    @Override
    public void close() {
        kernel.close();
    }
}
