// A compiler that is asked to warn of each of these says more than anybody reads.
#pragma GCC diagnostic warning "-Wall"
#define TEN(x) x x x x x x x x x x
#define LINE { int unused = "not a number"; }
int main(void) {
    TEN(TEN(TEN(TEN(TEN(LINE)))))
    return 0;
}
