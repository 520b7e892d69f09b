// Not testlib: just enough of its interface, and its protocol, to test how its checkers are called. The real header is
// the user's to supply.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

enum TResult { _ok = 0, _wa = 1, _pe = 2, _fail = 3, _points = 7 };

struct InStream {
    std::ifstream file;
    long readLong() {
        long number;
        if (!(file >> number)) {
            std::fprintf(stderr, "wrong output format Expected integer\n");
            std::exit(_pe);
        }
        return number;
    }
    long readLong(long low, long high) {
        long number;
        if (!(file >> number) || number < low || number > high) {
            std::fprintf(stderr, "FAIL Integer violates the range [%ld, %ld]\n", low, high);
            std::exit(_fail);
        }
        return number;
    }
};

static InStream inf, ouf, ans;

inline void registerTestlibCmd(int argc, char **argv) {
    if (argc != 4) {
        std::fprintf(stderr, "FAIL Program must be run with the following arguments: input output answer\n");
        std::exit(_fail);
    }
    inf.file.open(argv[1]);
    ouf.file.open(argv[2], std::ios::binary);
    ans.file.open(argv[3]);
    if (!inf.file || !ouf.file || !ans.file) std::exit(_fail);
}

static std::ofstream tout;

inline void registerInteraction(int argc, char **argv) {
    if (argc < 3 || argc > 4) {
        std::fprintf(stderr, "FAIL Program must be run with the following arguments: input output [answer]\n");
        std::exit(_fail);
    }
    inf.file.open(argv[1]);
    tout.open(argv[2]);
    ouf.file.open("/dev/stdin");
    if (argc == 4) ans.file.open(argv[3]);
    if (!inf.file || !tout || !ouf.file || (argc == 4 && !ans.file)) std::exit(_fail);
}

inline void registerValidation(int, char **) { inf.file.open("/dev/stdin"); }

[[noreturn]] inline void quitf(TResult result, const char *format, long a, long b) {
    std::fprintf(stderr, format, a, b);
    std::exit(result);
}
