// Ends at once without reading its input.
int main(void) {
    return 0;
}
