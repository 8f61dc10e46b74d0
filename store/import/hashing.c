#include "store/import/hashing.h"

#include <pthread.h>
#include <stdbool.h>

#include "core/base/xalloc.h"

struct hashing {
    pthread_mutex_t lock;
    pthread_cond_t given, hashed;
    const char *bytes;
    size_t n;    /* are there */
    size_t done; /* of them are hashed */
    bool ended;  /* no more will come */
    bool threaded;
    pthread_t thread;
    struct sha256 *sha256; /* of the thread, while there is one */
};

static void *hash_thread(void *arg)
{
    struct hashing *h = arg;
    pthread_mutex_lock(&h->lock);
    while (h->done < h->n || !h->ended) {
        if (h->done == h->n) {
            pthread_cond_wait(&h->given, &h->lock);
            continue;
        }
        const char *from = h->bytes + h->done;
        size_t upto = h->n, n = upto - h->done;
        pthread_mutex_unlock(&h->lock);
        sha256_add(h->sha256, from, n);
        pthread_mutex_lock(&h->lock);
        h->done = upto;
        pthread_cond_signal(&h->hashed);
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

struct hashing *hashing_start(void)
{
    struct hashing *h = xcalloc(1, sizeof *h);
    h->sha256 = sha256_create();
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->given, NULL);
    pthread_cond_init(&h->hashed, NULL);
    h->threaded = pthread_create(&h->thread, NULL, hash_thread, h) == 0;
    return h;
}

void hashing_give(struct hashing *h, const char *bytes, size_t n)
{
    if (!h->threaded) {
        sha256_add(h->sha256, bytes + h->done, n - h->done);
        h->done = n;
        return;
    }
    pthread_mutex_lock(&h->lock);
    h->bytes = bytes;
    h->n = n;
    pthread_cond_signal(&h->given);
    pthread_mutex_unlock(&h->lock);
}

void hashing_wait(struct hashing *h)
{
    pthread_mutex_lock(&h->lock);
    while (h->threaded && h->done < h->n)
        pthread_cond_wait(&h->hashed, &h->lock);
    pthread_mutex_unlock(&h->lock);
}

char *hashing_end(struct hashing *h, char hex[SHA256_TEXT_MAX])
{
    pthread_mutex_lock(&h->lock);
    h->ended = true;
    pthread_cond_signal(&h->given);
    pthread_mutex_unlock(&h->lock);
    if (h->threaded)
        pthread_join(h->thread, NULL);
    sha256_result(h->sha256, hex);
    sha256_destroy(h->sha256);
    pthread_cond_destroy(&h->hashed);
    pthread_cond_destroy(&h->given);
    pthread_mutex_destroy(&h->lock);
    free(h);
    return hex;
}
