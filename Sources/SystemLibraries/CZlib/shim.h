#pragma once
#include <string.h>
#include <zlib.h>

// inflateInit2 is a macro, which Swift cannot import. 16: a gzip header and its checksum, nothing else.
static inline int veery_gunzip_start(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    return inflateInit2(stream, 15 + 16);
}

// Compressed data alone, as in a zip.
static inline int veery_inflate_start(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    return inflateInit2(stream, -15);
}

// Compression to one gzip member; its header has no name and no time.
static inline int veery_gzip_start(z_stream *stream, int level) {
    memset(stream, 0, sizeof *stream);
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
