/* The metadata service over the network, by libcurl; nothing else in the program has a socket. */
#include <stdio.h>
#include <strings.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/host/cloud/cloud.h"
#include "runner/host/cloud/libcurl_internal.h"

#define ADDRESS     "http://169.254.169.254"
#define FOR_TESTS   "BLKMATRIX_METADATA_URL"
#define REQUEST_MS  1000
#define ALL_MS      3000
#define MAX_BODY    ((size_t)256 << 10)
#define MAX_HEADERS ((size_t)64 << 10)

struct metadata_http {
    struct libcurl lib;
    CURL *curl;
    char *base;
    uint64_t spent_ms;
};

/* Only this machine may be named, so that nothing leaves it whoever sets the variable. */
static bool is_of_this_machine(const char *url)
{
    static const char host[] = "http://127.0.0.1:";
    if (strncmp(url, host, sizeof host - 1) != 0)
        return false;
    const char *port = url + sizeof host - 1;
    size_t digits = strspn(port, "0123456789");
    return digits > 0 && digits < 6 && port[digits] == '\0';
}

int metadata_http_create(struct metadata_http **out, struct error *err)
{
    const char *given = getenv(FOR_TESTS);
    int rc = 0;
    if (given && !is_of_this_machine(given)) {
        rc = error_set(err, ERR_DEVICE, "%s=%s is not http://127.0.0.1:PORT", FOR_TESTS, given);
        error_hint(err, "It is for tests only; without it the cloud's own address is asked.");
        return rc;
    }
    struct libcurl lib;
    rc = libcurl_load(&lib, LIBCURL_SONAME, err);
    if (rc < 0)
        return rc;
    CURL *curl = lib.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? lib.easy_init() : NULL;
    if (!curl)
        return error_set(err, ERR_DEVICE, "libcurl cannot be set up");
    struct metadata_http *h = xcalloc(1, sizeof *h);
    h->lib = lib;
    h->curl = curl;
    h->base = xstrdup(given ? given : ADDRESS);
    *out = h;
    return 0;
}

void metadata_http_destroy(struct metadata_http *h)
{
    if (!h)
        return;
    h->lib.easy_cleanup(h->curl);
    h->lib.global_cleanup();
    free(h->base);
    free(h);
}

/* ---- one exchange ---- */

struct exchange {
    const char *wanted;
    struct strbuf body;
    char *header;
    size_t header_bytes;
    bool too_large;
};

static size_t take_body(char *bytes, size_t one, size_t n, void *self)
{
    struct exchange *x = self;
    (void)one; /* 1, always */
    if (n > MAX_BODY - x->body.len) {
        x->too_large = true;
        return 0;
    }
    strbuf_add(&x->body, bytes, n);
    return n;
}

static size_t take_header(char *bytes, size_t one, size_t n, void *self)
{
    struct exchange *x = self;
    (void)one;
    x->header_bytes += n;
    if (x->header_bytes > MAX_HEADERS) {
        x->too_large = true;
        return 0;
    }
    size_t name = x->wanted ? strlen(x->wanted) : 0;
    if (name > 0 && n > name && bytes[name] == ':' && strncasecmp(bytes, x->wanted, name) == 0) {
        size_t from = name + 1, to = n;
        while (from < to && (bytes[from] == ' ' || bytes[from] == '\t'))
            from++;
        while (to > from && strchr("\r\n \t", bytes[to - 1]))
            to--;
        free(x->header);
        x->header = xstrndup(bytes + from, to - from);
    }
    return n;
}

static void set_options(const struct metadata_http *h, const char *url,
                        const struct http_request *request, long ms,
                        const struct curl_slist *headers, struct exchange *x)
{
    CURLcode (*set)(CURL *, CURLoption, ...) = h->lib.easy_setopt;
    CURL *c = h->curl;
    h->lib.easy_reset(c);
    set(c, CURLOPT_URL, url);
    set(c, CURLOPT_CUSTOMREQUEST, request->method);
    set(c, CURLOPT_HTTPHEADER, headers);
    set(c, CURLOPT_TIMEOUT_MS, ms);
    set(c, CURLOPT_CONNECTTIMEOUT_MS, ms);
    set(c, CURLOPT_NOSIGNAL, 1L);
    /* the service must be asked by this machine itself, and nobody else be told */
    set(c, CURLOPT_PROXY, "");
    set(c, CURLOPT_NOPROXY, "*");
    set(c, CURLOPT_FOLLOWLOCATION, 0L);
    set(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    set(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    set(c, CURLOPT_HTTP09_ALLOWED, 0L);
    set(c, CURLOPT_PATH_AS_IS, 1L);
    set(c, CURLOPT_USERAGENT, "blkmatrix/" BLKMATRIX_VERSION);
    set(c, CURLOPT_WRITEFUNCTION, take_body);
    set(c, CURLOPT_WRITEDATA, x);
    set(c, CURLOPT_HEADERFUNCTION, take_header);
    set(c, CURLOPT_HEADERDATA, x);
}

static int failed(const struct libcurl *lib, const struct http_request *request,
                  const struct exchange *x, CURLcode code, long ms, struct error *err)
{
    const char *what = "the metadata service";
    if (x->too_large)
        return error_set(err, ERR_DEVICE, "%s's answer to %s is larger than any it has", what,
                         request->path);
    if (code == CURLE_OPERATION_TIMEDOUT)
        return error_set(err, ERR_DEVICE, "%s does not answer %s %s within %ld ms", what,
                         request->method, request->path, ms);
    return error_set(err, ERR_DEVICE, "%s cannot be asked for %s: %s", what, request->path,
                     lib->easy_strerror(code));
}

static int ask(void *self, const struct http_request *request, struct http_answer *out,
               struct error *err)
{
    struct metadata_http *h = self;
    if (h->spent_ms >= ALL_MS)
        return error_set(err, ERR_DEVICE, "the metadata service is too slow: %s was not asked for",
                         request->path);
    uint64_t left = ALL_MS - h->spent_ms, begin = clock_now_ns();
    long ms = (long)(left < REQUEST_MS ? left : REQUEST_MS), status = 0;
    struct exchange x = {.wanted = request->wanted, .body = STRBUF_INIT};
    /* a PUT without a body; without the first line HTTP/1.1 servers may wait for one */
    struct curl_slist *headers = h->lib.slist_append(NULL, "Accept: */*");
    if (strcmp(request->method, "PUT") == 0)
        headers = h->lib.slist_append(headers, "Content-Length: 0");
    if (request->header)
        headers = h->lib.slist_append(headers, request->header);
    char *url = xasprintf("%s%s", h->base, request->path);
    set_options(h, url, request, ms, headers, &x);
    CURLcode code = h->lib.easy_perform(h->curl);
    h->lib.easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
    h->lib.slist_free_all(headers);
    free(url);
    h->spent_ms += (clock_now_ns() - begin) / NS_PER_MS;
    if (code != CURLE_OK) {
        int rc = failed(&h->lib, request, &x, code, ms, err);
        strbuf_release(&x.body);
        free(x.header);
        return rc;
    }
    *out = (struct http_answer){(int)status, strbuf_detach(&x.body), x.header};
    return 0;
}

struct transport metadata_http_transport(struct metadata_http *h)
{
    return (struct transport){h, ask};
}
