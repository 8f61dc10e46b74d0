#include "core/base/sha256.h"

#include <criterion/criterion.h>

/* FIPS 180-4 examples. */
Test(sha256, published_digests)
{
    char hex[SHA256_TEXT_MAX];
    cr_expect_str_eq(sha256_hex(hex, "", 0),
                     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    cr_expect_str_eq(sha256_hex(hex, "abc", 3),
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
