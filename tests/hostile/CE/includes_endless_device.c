// Makes the compiler read a file that never ends.
#include "/dev/zero"
int main(void) { return 0; }
