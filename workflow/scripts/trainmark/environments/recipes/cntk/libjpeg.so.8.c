/* What OpenCV 3.1 needs of libjpeg 8 to read JPEG files, by a libjpeg-turbo of the 6.2 interface
   that lies beside this library.

   Of what a caller sees of a decompressor, the two interfaces differ only behind the fields that
   OpenCV uses, and 8's has more room: so all calls are handed on as they are, but for the one that
   checks version and size. Each takes at most four arguments, none of them a floating number.
   Functions that are not here, such as those for writing, end the process by name.

   Sources: jpeglib.h (JPEG_LIB_VERSION) in https://github.com/libjpeg-turbo/libjpeg-turbo and
   https://github.com/opencv/opencv/blob/3.1.0/modules/imgcodecs/src/grfmt_jpeg.cpp. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define TURBO "libjpeg-turbo.so.62"
enum { VERSION = 62, DECOMPRESSOR_BYTES = 632 };

typedef void *function(void *, void *, void *, void *);

static function *find(const char *name) {
    void *library = dlopen(TURBO, RTLD_NOW | RTLD_LOCAL);
    function *found = library ? (function *)dlsym(library, name) : NULL;
    if (found) return found;
    fprintf(stderr, "CNTK needs %s of " TURBO ": %s\n", name, dlerror());
    abort();
}

#define HANDED_ON(name)                               \
    void *name(void *a, void *b, void *c, void *d) {  \
        static function *real;                        \
        if (!real) real = find(#name);                \
        return real(a, b, c, d);                      \
    }

HANDED_ON(jpeg_std_error)
HANDED_ON(jpeg_stdio_src)
HANDED_ON(jpeg_alloc_huff_table)
HANDED_ON(jpeg_resync_to_restart)
HANDED_ON(jpeg_read_header)
HANDED_ON(jpeg_calc_output_dimensions)
HANDED_ON(jpeg_start_decompress)
HANDED_ON(jpeg_read_scanlines)
HANDED_ON(jpeg_finish_decompress)
HANDED_ON(jpeg_destroy_decompress)

void jpeg_CreateDecompress(void *decompressor, int version, size_t bytes) {
    void (*create)(void *, int, size_t) = (void (*)(void *, int, size_t))find(__func__);
    create(decompressor, VERSION, DECOMPRESSOR_BYTES);
}
