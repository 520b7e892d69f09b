// Divides by zero.
int main(void) {
    volatile int zero = 0;
    return 7 / zero;
}
