/*
 * PNG by libpng itself: cairo's writer tries every filter on every row, which for flat colours costs
 * four times the time and saves nothing.
 */
#include <math.h>
#include <png.h>

#include "core/base/xalloc.h"
#include "report/scene/png_internal.h"

#define LEVEL 3 /* of zlib: 16 ms for a chart, 6 takes 30 and saves an eighth */
/* Of zlib's hash: its table is gone over every 32 KiB of flat colour, and a small one finds as much. */
#define MEM_LEVEL 6

static void append(png_structp png, png_bytep data, size_t n)
{
    strbuf_add(png_get_io_ptr(png), data, n);
}

static void no_flush(png_structp png)
{
    (void)png;
}

static void refuse(png_structp png, png_const_charp message)
{
    error_set(png_get_error_ptr(png), ERR_USAGE, "cannot write a PNG: %s", message);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* The three bytes of each pixel; libpng's own way there goes over the row twice, byte by byte. */
static void to_bytes(png_bytep rgb, const unsigned char *pixels, int w)
{
    for (int x = 0; x < w; x++, rgb += 3) {
        uint32_t p;
        memcpy(&p, pixels + (ptrdiff_t)x * 4, sizeof p);
        rgb[0] = (png_byte)(p >> 16);
        rgb[1] = (png_byte)(p >> 8);
        rgb[2] = (png_byte)p;
    }
}

int png_encode(struct strbuf *out, const unsigned char *pixels, int w, int h, int stride,
               double dpi, struct error *err)
{
    struct error own = ERROR_INIT;
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, err ? err : &own, refuse, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        png_destroy_write_struct(&png, NULL);
        return error_set(err, ERR_USAGE, "cannot write a PNG: libpng %s does not fit",
                         PNG_LIBPNG_VER_STRING);
    }
    png_bytep rgb = xmalloc((size_t)w * 3);
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        free(rgb);
        return -ERR_USAGE;
    }
    png_set_write_fn(png, out, append, no_flush);
    png_set_IHDR(png, info, (png_uint_32)w, (png_uint_32)h, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_uint_32 per_metre = (png_uint_32)lround(dpi / 0.0254);
    png_set_pHYs(png, info, per_metre, per_metre, PNG_RESOLUTION_METER);
    png_set_compression_level(png, LEVEL);
    png_set_compression_mem_level(png, MEM_LEVEL);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(png, info);
    for (int y = 0; y < h; y++) {
        to_bytes(rgb, pixels + (ptrdiff_t)y * stride, w);
        png_write_row(png, rgb);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    free(rgb);
    return 0;
}
