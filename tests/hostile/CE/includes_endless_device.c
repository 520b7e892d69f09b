// Has the compiler read a file that does not end.
#include "/dev/zero"
int main(void) { return 0; }
