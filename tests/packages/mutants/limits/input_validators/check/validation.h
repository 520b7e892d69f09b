// Reads integers and white space, as the headers of problem archives do. Illegal input ends with exit code 43.
#include <cctype>
#include <cstdio>
#include <cstdlib>

[[noreturn]] inline void reject(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(43);
}

// Reads an integer from lo to hi, without a plus sign or leading zeros.
inline long long Int(long long lo, long long hi) {
    int next = getchar();
    bool negative = next == '-';
    if (negative) next = getchar();
    if (!isdigit(next)) reject("expected an integer");
    bool zero = next == '0';
    long long value = 0;
    for (int digits = 0; isdigit(next); next = getchar(), digits++) {
        if (digits == 18) reject("the integer is too long");
        if (zero && digits == 1) reject("the integer has a leading zero");
        value = 10 * value + (next - '0');
    }
    ungetc(next, stdin);
    if (negative && value == 0) reject("found -0");
    if (negative) value = -value;
    if (value < lo || value > hi) reject("the integer is out of range");
    return value;
}

inline void Space() {
    if (getchar() != ' ') reject("expected a blank");
}

inline void Endl() {
    if (getchar() != '\n') reject("expected the end of the line");
}

inline void Eof() {
    if (getchar() != EOF) reject("expected the end of the input");
}
