package io.dualstackd.kubeapi.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.async.ByteBufferFeeder;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A decoder of JSON that receives tokens as bytes arrive. */
abstract class JsonTokens implements WireDecoder {
    private static final int MAX_DEPTH = 100;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(ObjectReader.MAX)
                    .build())
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            .build();

    private final JsonParser parser;
    private final ByteBufferFeeder feeder;
    /** Number of bytes of the response that have arrived. */
    private long arrived;
    /** Position of the start of the current object; nothing before it is in memory. */
    private long objectStart;

    JsonTokens() {
        try {
            parser = JSON.createNonBlockingByteBufferParser();
            feeder = (ByteBufferFeeder) parser.getNonBlockingInputFeeder();
        } catch (IOException e) {
            throw new IllegalStateException("a parser of UTF-8 always exists", e);
        }
    }

    /** Receives one token; the parser is positioned at it. */
    abstract void token(JsonToken token, JsonParser parser) throws IOException, WireException;

    /** An object begins or ends here. */
    final void objectBoundary() {
        objectStart = position();
    }

    @Override
    public final void feed(ByteBuffer piece) throws WireException {
        arrived += piece.remaining();
        try {
            feeder.feedInput(piece);
            drain();
            piece.position(piece.limit());
        } catch (IOException e) {
            throw wrong(e);
        }
        ObjectReader.checkSize(arrived - objectStart, objectStart);
    }

    private void drain() throws IOException, WireException {
        for (JsonToken token = parser.nextToken();
                token != null && token != JsonToken.NOT_AVAILABLE;
                token = parser.nextToken()) {
            token(token, parser);
        }
    }

    /** There are no more bytes: tokens that may have continued are complete. */
    final void finish() throws WireException {
        feeder.endOfInput();
        try {
            drain();
        } catch (IOException e) {
            throw wrong(e);
        }
    }

    /** Number of bytes of the response up to the current token. */
    final long position() {
        return parser.currentLocation().getByteOffset();
    }

    final WireException wrong(String rule) {
        return WireException.at(position(), rule);
    }

    private WireException wrong(IOException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return wrong("not JSON: " + (end < 0 ? message : message.substring(0, end)));
    }
}
