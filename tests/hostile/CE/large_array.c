// The compiler would have to write an initialised array of sixteen gigabytes.
char array[16L << 30] = {1};

int main(int count, char **names) {
    return array[count] + names[0][0];
}
