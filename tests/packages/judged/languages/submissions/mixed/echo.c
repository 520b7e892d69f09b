/* @EXPECTED_RESULTS@: COMPILER-ERROR */
#include <stdio.h>
int main(void) { int n; scanf("%d", &n); printf("%d\n", n); }
