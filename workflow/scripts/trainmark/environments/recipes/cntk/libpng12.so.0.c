/* What OpenCV 3.1 needs of libpng 1.2 to read 8-bit grey and RGB images that are not interlaced.

   Chunks are read up to the end, the pixels inflated at once by the system's zlib, and each line
   unfiltered in place and copied in the colours that were asked for. zlib's own checksum guards the
   pixels. Functions that are not here, such as those for writing, end the process by name.

   Sources: https://www.w3.org/TR/png-3/, http://www.libpng.org/pub/png/libpng-1.2.5-manual.html
   and https://github.com/opencv/opencv/blob/3.1.0/modules/imgcodecs/src/grfmt_png.cpp. */

#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GREY = 0, RGB = 2, MAX_SIDE = 1000000 };

typedef unsigned char byte;
typedef int inflater(byte *to, unsigned long *to_bytes, const byte *from, unsigned long from_bytes);

typedef struct reader {
    jmp_buf failed; /* first: a caller of libpng 1.2 finds it here */
    void *source;
    void (*read)(struct reader *, byte *, size_t);
    unsigned width, height;
    int depth, colour, interlaced;
    int channels, wanted_channels, blue_first;
    byte *packed;
    size_t packed_bytes;
} reader;

void png_error(reader *image, const char *reason) {
    fprintf(stderr, "PNG: %s\n", reason);
    longjmp(image->failed, 1);
}

/* Life: the information about an image is kept with its reader. */

void *png_create_read_struct(const char *version, void *data, void *error, void *warning) {
    return calloc(1, sizeof(reader));
}

void *png_create_info_struct(reader *image) { return image; }

void png_destroy_read_struct(reader **image, void **info, void **end) {
    if (*image) free((*image)->packed);
    free(*image);
    *image = NULL;
}

/* Where bytes come from: a file, or a function of the caller's. */

static void read_file(reader *image, byte *to, size_t bytes) {
    if (fread(to, 1, bytes, image->source) != bytes) png_error(image, "the file ends too early");
}

void png_init_io(reader *image, void *file) {
    image->source = file;
    image->read = read_file;
}

void png_set_read_fn(reader *image, void *source, void (*read)(reader *, byte *, size_t)) {
    image->source = source;
    image->read = read;
}

void *png_get_io_ptr(reader *image) { return image->source; }

static unsigned read_number(reader *image) {
    byte number[4];
    image->read(image, number, 4);
    return (unsigned)number[0] << 24 | number[1] << 16 | number[2] << 8 | number[3];
}

static void skip(reader *image, size_t bytes) {
    byte ignored[4096];
    for (; bytes > sizeof ignored; bytes -= sizeof ignored)
        image->read(image, ignored, sizeof ignored);
    image->read(image, ignored, bytes);
}

/* The header. */

static void check_header(reader *image) {
    if (image->depth != 8 || (image->colour != GREY && image->colour != RGB) || image->interlaced)
        png_error(image, "only 8-bit grey and RGB images that are not interlaced can be read");
    if (image->width - 1 >= MAX_SIDE || image->height - 1 >= MAX_SIDE)
        png_error(image, "the image is empty or too large");
}

void png_read_info(reader *image, void *info) {
    byte start[16], rest[5];
    image->read(image, start, sizeof start);
    if (memcmp(start, "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", sizeof start))
        png_error(image, "this is no PNG file");
    image->width = read_number(image);
    image->height = read_number(image);
    image->read(image, rest, sizeof rest);
    image->depth = rest[0];
    image->colour = rest[1];
    image->interlaced = rest[4];
    skip(image, 4); /* the checksum */
    check_header(image);
    image->channels = image->wanted_channels = image->colour == RGB ? 3 : 1;
}

/* Four bytes a side serve callers for whom libpng's integer has eight: they cast it to int. */
unsigned png_get_IHDR(reader *image, void *info, unsigned *width, unsigned *height, int *depth,
                      int *colour, int *interlaced, int *compression, int *filter) {
    *width = image->width;
    *height = image->height;
    *depth = image->depth;
    *colour = image->colour;
    return 1;
}

unsigned png_get_tRNS(reader *image, void *info, byte **alpha, int *count, void **colour) {
    *count = 0;
    return 0;
}

/* What the caller wants of the pixels. */

void png_set_bgr(reader *image) { image->blue_first = 1; }
void png_set_gray_to_rgb(reader *image) { image->wanted_channels = 3; }
void png_set_rgb_to_gray(reader *image, int on_error, double red, double green) {
    image->wanted_channels = 1;
}
void png_set_strip_16(reader *image) {}
void png_set_strip_alpha(reader *image) {}
void png_set_swap(reader *image) {}
int png_set_interlace_handling(reader *image) { return 1; }
void png_read_update_info(reader *image, void *info) {}

/* The pixels. */

static void append_chunk(reader *image, size_t bytes) {
    byte *grown = realloc(image->packed, image->packed_bytes + bytes);
    if (!grown) png_error(image, "there is no memory for the image");
    image->packed = grown;
    image->read(image, grown + image->packed_bytes, bytes);
    image->packed_bytes += bytes;
}

static void read_chunks(reader *image) {
    byte kind[4];
    for (;;) {
        unsigned bytes = read_number(image);
        image->read(image, kind, sizeof kind);
        if (!memcmp(kind, "IEND", 4)) return;
        if (memcmp(kind, "IDAT", 4))
            skip(image, bytes);
        else if (bytes)
            append_chunk(image, bytes);
        skip(image, 4); /* the checksum */
    }
}

static inflater *zlib(reader *image) {
    static inflater *found;
    void *library = found ? NULL : dlopen("libz.so.1", RTLD_NOW);
    if (library) found = (inflater *)dlsym(library, "uncompress");
    if (!found) png_error(image, "libz.so.1 is missing");
    return found;
}

/* Put the image's lines, each behind its filter, into the place of the packed bytes. */
static void inflate_lines(reader *image, size_t bytes) {
    unsigned long given = bytes;
    inflater *inflate = zlib(image);
    byte *lines = malloc(bytes);
    int status = lines ? inflate(lines, &given, image->packed, image->packed_bytes) : -1;
    free(image->packed);
    image->packed = lines;
    if (status || given != bytes) png_error(image, "the pixels are damaged");
}

static byte nearest(int left, int above, int corner) {
    int to_left = abs(above - corner), to_above = abs(left - corner);
    int to_corner = abs(left + above - 2 * corner);
    if (to_left <= to_above && to_left <= to_corner) return left;
    return to_above <= to_corner ? above : corner;
}

/* Add to each byte what its filter predicted from the pixels to the left and above. */
static void unfilter(reader *image, int filter, byte *line, const byte *before, size_t bytes) {
    size_t pixel = image->channels;
    for (size_t i = 0; i < bytes; i++) {
        int left = i < pixel ? 0 : line[i - pixel];
        int above = before ? before[i] : 0;
        int corner = before && i >= pixel ? before[i - pixel] : 0;
        switch (filter) {
        case 1: line[i] += left; break;
        case 2: line[i] += above; break;
        case 3: line[i] += (left + above) / 2; break;
        case 4: line[i] += nearest(left, above, corner); break;
        default: png_error(image, "the pixels are damaged");
        }
    }
}

static void copy_pixel(const reader *image, byte *to, const byte *from) {
    if (image->channels == 1) {
        memset(to, *from, image->wanted_channels);
    } else if (image->wanted_channels == 1) {
        *to = (299 * from[0] + 587 * from[1] + 114 * from[2] + 500) / 1000;
    } else {
        to[0] = from[image->blue_first ? 2 : 0];
        to[1] = from[1];
        to[2] = from[image->blue_first ? 0 : 2];
    }
}

void png_read_image(reader *image, byte **rows) {
    size_t bytes = (size_t)image->width * image->channels;
    byte *before = NULL;
    read_chunks(image);
    inflate_lines(image, image->height * (1 + bytes));
    for (unsigned y = 0; y < image->height; y++) {
        byte *line = image->packed + y * (1 + bytes) + 1;
        if (line[-1]) unfilter(image, line[-1], line, before, bytes);
        for (unsigned x = 0; x < image->width; x++)
            copy_pixel(image, rows[y] + x * image->wanted_channels, line + x * image->channels);
        before = line;
    }
}

void png_read_end(reader *image, void *info) {}
