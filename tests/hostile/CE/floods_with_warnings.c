// The compiler prints a warning for each of the 100,000 lines.
#pragma GCC diagnostic warning "-Wall"
#define TEN(x) x x x x x x x x x x
#define LINE { int unused = "not a number"; }
int main(void) {
    TEN(TEN(TEN(TEN(TEN(LINE)))))
    return 0;
}
