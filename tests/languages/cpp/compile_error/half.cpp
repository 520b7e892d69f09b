int main() { return
