// The judge must show the compiler's message and nothing else.
int main() { return "one"
