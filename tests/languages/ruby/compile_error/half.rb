puts(
