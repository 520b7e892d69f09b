#error not for C++
