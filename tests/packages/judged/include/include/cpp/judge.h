#include <iostream>
inline void answer(int n) { std::cout << n << "\n"; }
