#include "judge.h"
#include <fstream>
#include <string>
int main() {
    std::string notes;
    std::getline(std::ifstream("notes.txt"), notes);
    int n;
    std::cin >> n;
    answer(notes == "for all" ? n : -1);
}
