// The compiler's words must reach the reader, and nothing else may.
int main() { return "one"
