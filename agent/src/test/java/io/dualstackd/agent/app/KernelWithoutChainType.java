package io.dualstackd.agent.app;

import io.dualstackd.netlink.io.Answers;
import io.dualstackd.netlink.io.Arrival;
import io.dualstackd.netlink.io.MessageFilter;
import io.dualstackd.netlink.io.NetlinkException;
import io.dualstackd.netlink.io.NlTransport;
import io.dualstackd.netlink.nft.NftChain;
import io.dualstackd.netlink.nft.NftMessageType;
import io.dualstackd.netlink.sys.Errno;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.wire.NlMessage;
import io.dualstackd.netlink.wire.NlWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** A kernel that was built without some type of base chain: it refuses the chains, and the rules that have no chain then. */
final class KernelWithoutChainType implements NlTransport {
    private final NlTransport real;
    private final String type;
    private final Deque<Arrival> answers = new ArrayDeque<>();

    /** @param type {@code nat}; empty for all */
    KernelWithoutChainType(NlTransport real, String type) {
        this.real = real;
        this.type = type;
    }

    @Override
    public void send(NlWriter writer) throws NetlinkException {
        byte[] bytes = writer.toByteArray();
        try {
            boolean refused = false;
            for (NlMessage message : NlMessage.split(bytes, bytes.length)) {
                if (message.type() == NftMessageType.NEW_CHAIN && isOfType(message)) {
                    refused = true;
                    answers.add(Answers.refusal(message.sequence(), Errno.ENOENT));
                } else if (message.type() == NftMessageType.NEW_RULE && refused) {
                    answers.add(Answers.refusal(message.sequence(), Errno.ENOENT));
                }
            }
            if (!refused) {
                real.send(writer);
            }
        } catch (DecodeException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean isOfType(NlMessage message) throws DecodeException {
        return NftChain.read(message)
                .hook()
                .filter(hook -> type.isEmpty() || hook.type().equals(type))
                .isPresent();
    }

    @Override
    public Arrival receive(Duration timeout) throws NetlinkException {
        Arrival answer = answers.pollFirst();
        return answer == null ? real.receive(timeout) : answer;
    }

    @Override
    public void listen(int group, MessageFilter wanted, int receiveBuffer) throws NetlinkException {
        real.listen(group, wanted, receiveBuffer);
    }

    @Override
    public int portId() {
        return real.portId();
    }

    @Override
    public void close() {
        real.close();
    }
}
