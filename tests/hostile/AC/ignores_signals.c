// Ignores every signal that can be ignored, and answers.
#include <signal.h>
#include <stdio.h>

int main(void) {
    for (int signal_number = 1; signal_number < 32; signal_number++) {
        signal(signal_number, SIG_IGN);
    }
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    return 0;
}
