// An empty package of ICU's tables, as ICU's own "stubdata" is. Linked statically, Foundation brings 34 MB of tables of languages,
// calendars and time zones, of which Veery uses none: its own imports of Foundation are listed in ArchitectureTests, and what it
// calls of Yams and swift-mustache looks nothing up. .ci/build gives the name that Foundation's ICU has for its tables; with the
// symbol defined here, the linker leaves them out. A lookup finds nothing, which ICU reports as an error to its caller.
#ifdef VEERY_ICU_TABLES
#include <stdint.h>

struct Tables {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size, reserved;
    uint8_t is_big_endian, is_ebcdic, size_of_uchar, reserved_byte;
    uint8_t format[4], format_version[4], data_version[4];
    uint8_t padding[8];
    // The table of contents.
    uint32_t count, unused;
    const void *entries[2];
};

_Static_assert(sizeof(struct Tables) == 56, "a header of 32 bytes and the table of contents");

extern const struct Tables VEERY_ICU_TABLES;
_Alignas(16) const struct Tables VEERY_ICU_TABLES = {
    .header_size = 32,
    .magic = {0xDA, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .size_of_uchar = 2,
    .format = {'T', 'o', 'C', 'P'},
    .format_version = {1},
};
#endif
