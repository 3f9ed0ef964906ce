#pragma once
#include <png.h>
#include <string.h>

// libpng's simplified interface is set up by macros, which Swift cannot import. Its other interface reports errors by
// longjmp, which must not cross Swift's frames.

static inline png_image veery_png_image(unsigned width, unsigned height, unsigned colors) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB_COLORMAP;
    image.colormap_entries = colors;
    return image;
}

// The maximum size of such a picture in bytes.
static inline size_t veery_png_most_bytes(unsigned width, unsigned height, unsigned colors) {
    png_image image = veery_png_image(width, height, colors);
    return PNG_IMAGE_PNG_SIZE_MAX(image);
}

// Writes a picture with a byte for each pixel: the number of a colour in `palette` (three bytes each). Returns its size; 0: it
// failed.
static inline size_t veery_png_write(const unsigned char *pixels, unsigned width, unsigned height,
                                     const unsigned char *palette, unsigned colors, void *memory, size_t size) {
    png_image image = veery_png_image(width, height, colors);
    return png_image_write_to_memory(&image, memory, &size, 0, pixels, 0, palette) ? size : 0;
}
