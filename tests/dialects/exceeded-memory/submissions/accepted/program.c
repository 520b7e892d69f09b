#include <stdio.h>
#include <stdlib.h>

/* Uses 256 MiB, four times the limit. */
int main(void) {
  const size_t bytes = 256 << 20;
  volatile char *block = malloc(bytes);
  if (!block) abort();
  for (size_t at = 0; at < bytes; at += 512) block[at] = 1;
  printf("%d\n", block[512]);
  return 0;
}
