// Starts as many threads as it can, and keeps trying.
#include <pthread.h>
#include <unistd.h>

static void *sleeper(void *unused) {
    (void)unused;
    for (;;) {
        pause();
    }
}

int main(void) {
    pthread_t thread;
    for (;;) {
        pthread_create(&thread, NULL, sleeper, NULL);
    }
}
