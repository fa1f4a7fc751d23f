package io.dualstackd.kubeapi.wire;

import io.dualstackd.kubeapi.wire.raw.NamePool;
import io.dualstackd.kubeapi.wire.raw.ProtoReader;
import io.dualstackd.kubeapi.wire.raw.ProtoTag;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/** Decodes {@code v1/Status} in protobuf. */
final class ProtoStatus {
    private ProtoStatus() {}

    /** Reads a whole response; empty when it is not a status. */
    static Optional<ApiStatus> whole(byte[] body) {
        NamePool names = new NamePool();
        try {
            Envelope envelope = Envelope.open(body, 0, body.length, names, 0);
            return envelope.kind().equals("Status")
                    ? Optional.of(read(body, envelope.start(), envelope.length(), names, envelope.start()))
                    : Optional.empty();
        } catch (WireException e) {
            return Optional.empty();
        }
    }

    static ApiStatus read(byte[] bytes, int at, int length, NamePool names, long position) throws WireException {
        ProtoReader in = new ProtoReader(bytes, at, length, names);
        int code = 0;
        String reason = "";
        String message = "";
        int retry = 0;
        try {
            while (in.next()) {
                switch (in.tag()) {
                    case ProtoTag.STATUS_CODE -> code = in.number();
                    case ProtoTag.STATUS_REASON -> reason = in.text();
                    case ProtoTag.STATUS_MESSAGE -> message = in.text();
                    case ProtoTag.STATUS_DETAILS -> retry = retryAfter(in);
                    default -> in.skip();
                }
            }
        } catch (IOException e) {
            throw in.wrong(position, "Status", e);
        }
        return new ApiStatus(code, reason, message, retry > 0 ? OptionalInt.of(retry) : OptionalInt.empty());
    }

    private static int retryAfter(ProtoReader in) throws IOException {
        int outer = in.enter();
        int seconds = 0;
        while (in.next()) {
            if (in.tag() == ProtoTag.STATUS_DETAILS_RETRY_AFTER_SECONDS) {
                seconds = in.number();
            } else {
                in.skip();
            }
        }
        in.leave(outer);
        return seconds;
    }
}
