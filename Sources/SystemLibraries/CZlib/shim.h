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
