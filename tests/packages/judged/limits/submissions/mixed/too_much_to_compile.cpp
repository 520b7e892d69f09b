// @EXPECTED_RESULTS@: COMPILER-ERROR
#include <array>
template <int N> struct S { std::array<char, 1> a; S<N - 1> b, c; };
template <> struct S<0> {};
constexpr auto make() { std::array<int, 40000000> a{}; for (auto &x : a) x = 1; return a; }
constexpr auto big = make();
int main() { return big[7]; }
