#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Uses 256 MiB, four times the limit. */
int main(void) {
  char *block = malloc(256 << 20);
  if (!block) abort();
  memset(block, 1, 256 << 20);
  printf("%d\n", block[12345]);
  return 0;
}
