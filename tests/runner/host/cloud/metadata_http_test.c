/* The network side, against a server of this process on 127.0.0.1 that answers by the path. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/strbuf.h"
#include "core/base/xalloc.h"
#include "runner/host/cloud/cloud.h"

#define OK "HTTP/1.1 200 OK\r\n"
/* How long a server is slow: far beyond the second that is waited for it, so that a busy machine is no failure. */
#define SLOW_MS 30000

struct server {
    int fd;
    uint16_t port;
    pthread_t thread;
    int requests;
};

static void send_text(int fd, const char *text)
{
    size_t n = strlen(text), sent = 0;
    while (sent < n) {
        ssize_t k = send(fd, text + sent, n - sent, MSG_NOSIGNAL);
        if (k <= 0)
            return;
        sent += (size_t)k;
    }
}

/* False when the other side has had enough within that time. */
static bool is_waited_for(int fd, int ms)
{
    struct pollfd p = {.fd = fd, .events = POLLRDHUP};
    return poll(&p, 1, ms) == 0;
}

static void send_endless(int fd, const char *head, const char *line, int n)
{
    send_text(fd, head);
    for (int i = 0; i < n; i++)
        send_text(fd, line);
}

/* How each path is answered. */
static void answer(int fd, const char *request)
{
    static const struct {
        const char *path, *text;
    } fixed[] = {
        {"/good ", OK "Metadata-Flavor: Google\r\nContent-Length: 5\r\n\r\nhello"},
        {"/put ", OK "Content-Length: 5\r\n\r\ntoken"},
        {"/denied ", "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"},
        {"/redirect ", "HTTP/1.1 302 Found\r\nLocation: /good\r\nContent-Length: 0\r\n\r\n"},
        {"/half ", OK "Content-Length: 100\r\n\r\nonly this"},
        {"/nothing ", ""},
        {"/no-http ", "220 mail.example ESMTP\r\n"},
        {"/nul ", OK "Content-Length: 3\r\n\r\na"},
    };
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (strstr(request, fixed[i].path))
            send_text(fd, fixed[i].text);
    if (strstr(request, "/nul "))
        send(fd, "\0b", 2, MSG_NOSIGNAL);
    if (strstr(request, "/slow "))
        is_waited_for(fd, SLOW_MS);
    if (strstr(request, "/huge "))
        send_endless(fd, OK "Content-Length: 99999999\r\n\r\n", "0123456789abcdef", 100000);
    if (strstr(request, "/headers "))
        send_endless(fd, OK, "X-Filler: 0123456789abcdef0123456789abcdef\r\n", 100000);
    if (strstr(request, "/drip ")) {
        send_text(fd, OK "Content-Length: 1000\r\n\r\n");
        for (int i = 0; i < SLOW_MS / 100 && is_waited_for(fd, 100); i++)
            send_text(fd, ".");
    }
}

static void *serve(void *self)
{
    struct server *s = self;
    for (;;) {
        int fd = accept(s->fd, NULL, NULL);
        if (fd < 0)
            return NULL;
        char head[4096] = "";
        size_t n = 0;
        ssize_t k = 1;
        while (k > 0 && n + 1 < sizeof head && !strstr(head, "\r\n\r\n")) {
            k = recv(fd, head + n, sizeof head - 1 - n, 0);
            n += k > 0 ? (size_t)k : 0;
        }
        s->requests++;
        answer(fd, head);
        shutdown(fd, SHUT_RDWR);
        close(fd);
    }
}

static struct server server;
static struct metadata_http *http;

static void start(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof at;
    server.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert(bind(server.fd, (struct sockaddr *)&at, sizeof at) == 0);
    cr_assert(listen(server.fd, 8) == 0);
    cr_assert(getsockname(server.fd, (struct sockaddr *)&at, &n) == 0);
    server.port = ntohs(at.sin_port);
    cr_assert(pthread_create(&server.thread, NULL, serve, &server) == 0);
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u", server.port);
    setenv("BLKMATRIX_METADATA_URL", url, 1);
    struct error err = ERROR_INIT;
    if (metadata_http_create(&http, &err) < 0)
        cr_skip("%s", err.message);
}

static void stop(void)
{
    metadata_http_destroy(http);
    shutdown(server.fd, SHUT_RDWR);
    pthread_join(server.thread, NULL);
    close(server.fd);
}

static int ask(const char *method, const char *path, const char *header, struct http_answer *out,
               struct error *err)
{
    const struct http_request request = {method, path, header, "Metadata-Flavor"};
    const struct transport t = metadata_http_transport(http);
    return t.ask(t.self, &request, out, err);
}

TestSuite(metadata_http, .init = start, .fini = stop);

Test(metadata_http, question_and_answer)
{
    struct http_answer a = {0};
    struct error err = ERROR_INIT;
    cr_assert(ask("GET", "/good", "Metadata: true", &a, &err) == 0, "%s", err.message);
    cr_expect(a.status == 200 && strcmp(a.body, "hello") == 0);
    cr_expect(a.header && strcmp(a.header, "Google") == 0);
    http_answer_release(&a);
    cr_assert(ask("PUT", "/put", "X-aws-ec2-metadata-token-ttl-seconds: 60", &a, &err) == 0);
    cr_expect(strcmp(a.body, "token") == 0 && !a.header);
    http_answer_release(&a);
    cr_assert(ask("GET", "/denied", NULL, &a, &err) == 0);
    cr_expect(a.status == 403 && a.body[0] == '\0');
    http_answer_release(&a);
}

Test(metadata_http, redirects_are_not_followed)
{
    struct http_answer a = {0};
    struct error err = ERROR_INIT;
    cr_assert(ask("GET", "/redirect", NULL, &a, &err) == 0);
    cr_expect_eq(a.status, 302);
    cr_expect_eq(server.requests, 1);
    http_answer_release(&a);
}

Test(metadata_http, no_proxy_is_asked)
{
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    setenv("all_proxy", "http://127.0.0.1:1", 1);
    struct http_answer a = {0};
    struct error err = ERROR_INIT;
    cr_assert(ask("GET", "/good", NULL, &a, &err) == 0, "%s", err.message);
    http_answer_release(&a);
}

static void expect_failure(const char *path, const char *says)
{
    struct http_answer a = {0};
    struct error err = ERROR_INIT;
    uint64_t begin = clock_now_ns();
    cr_expect_eq(ask("GET", path, NULL, &a, &err), -ERR_DEVICE, "%s", path);
    cr_expect(strstr(err.message, says), "%s: %s", path, err.message);
    cr_expect(clock_now_ns() - begin < SLOW_MS / 2 * NS_PER_MS, "%s: within its second", path);
    cr_expect(!a.body && !a.header);
}

Test(metadata_http, slow_answers_end_after_a_second)
{
    expect_failure("/slow", "does not answer");
}

Test(metadata_http, dripping_answers_end_after_a_second)
{
    expect_failure("/drip", "does not answer");
}

Test(metadata_http, broken_answers)
{
    expect_failure("/half", "/half");
    expect_failure("/nothing", "/nothing");
    expect_failure("/no-http", "/no-http");
}

Test(metadata_http, huge_answers)
{
    expect_failure("/huge", "larger");
    expect_failure("/headers", "/headers");
}

Test(metadata_http, nul_bytes_end_the_text)
{
    struct http_answer a = {0};
    struct error err = ERROR_INIT;
    cr_assert(ask("GET", "/nul", NULL, &a, &err) == 0, "%s", err.message);
    cr_expect(strcmp(a.body, "a") == 0);
    http_answer_release(&a);
}

Test(metadata_http, only_this_machine_can_be_named)
{
    static const char *const bad[] = {
        "",
        "http://169.254.169.254",
        "http://example.com:80",
        "https://127.0.0.1:80",
        "http://127.0.0.1:80@example.com",
        "http://127.0.0.1:80/latest",
        "http://127.0.0.1:",
        "http://127.0.0.1.example.com:80",
        "file:///etc/passwd",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct metadata_http *h = NULL;
        struct error err = ERROR_INIT;
        setenv("BLKMATRIX_METADATA_URL", bad[i], 1);
        cr_expect_eq(metadata_http_create(&h, &err), -ERR_DEVICE, "%s", bad[i]);
        cr_expect(strstr(err.message, "BLKMATRIX_METADATA_URL"));
    }
}

Test(metadata_http, nobody_there)
{
    struct metadata_http *h = NULL;
    struct error err = ERROR_INIT;
    setenv("BLKMATRIX_METADATA_URL", "http://127.0.0.1:1", 1);
    cr_assert(metadata_http_create(&h, &err) == 0);
    const struct http_request request = {"GET", "/latest/meta-data/", NULL, NULL};
    const struct transport t = metadata_http_transport(h);
    struct http_answer a = {0};
    cr_expect_eq(t.ask(t.self, &request, &a, &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "cannot be asked"), "%s", err.message);
    metadata_http_destroy(h);
}

Test(metadata_http, gives_up_after_three_slow_answers)
{
    struct http_answer a = {0};
    struct error err = ERROR_INIT;
    for (int i = 0; i < 10; i++)
        cr_expect_eq(ask("GET", "/slow", NULL, &a, &err), -ERR_DEVICE);
    cr_expect(strstr(err.message, "too slow"), "%s", err.message);
    /* the third may end a little before its time, and what is left of it is given to a fourth */
    cr_expect_leq(server.requests, 4);
}
