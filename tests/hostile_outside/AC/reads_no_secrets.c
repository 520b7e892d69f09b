// Looks for a secret of the judge: in the environment, the command line, the memory and the open files of every other
// process, and in a file. Also tries to write to a shared cache. A test replaces the secret and the two paths.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// Two halves, so that the source and the program do not contain the secret.
#define SECRET_BEGIN "no-"
#define SECRET_END "such-secret"
#define SECRET_FILE "/etc/shadow"
#define SHARED_CACHE "/var/tmp"
// Whether the program must not be able to trace any other process.
#define TRACING 1

static char secret[256], block[1 << 20];
static int found;

static void tell(const char *where) {
    fprintf(stderr, "reached: %s\n", where);
    found = 1;
}

static void search(int file, const char *where) {
    ssize_t length = read(file, block, sizeof block);
    if (length > 0 && memmem(block, length, secret, strlen(secret))) tell(where);
}

static void search_file(const char *path) {
    struct stat about;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode)) search(file, path);
    close(file);
}

// Searches the memory of a process, by the table of its mappings.
static void search_memory(const char *process) {
    char path[512], line[1024], permissions[8];
    unsigned long begin, end;
    snprintf(path, sizeof path, "%s/maps", process);
    FILE *maps = fopen(path, "r");
    snprintf(path, sizeof path, "%s/mem", process);
    int memory = open(path, O_RDONLY | O_CLOEXEC);
    while (maps && memory >= 0 && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, permissions) != 3 || permissions[1] != 'w') continue;
        for (; begin < end && end - begin < 64 << 20; begin += sizeof block / 2) {
            ssize_t length = pread(memory, block, end - begin < sizeof block ? end - begin : sizeof block, begin);
            if (length > 0 && memmem(block, length, secret, strlen(secret))) tell(path);
        }
    }
    if (maps) fclose(maps);
    if (memory >= 0) close(memory);
}

static void search_open_files(const char *process) {
    char path[512];
    snprintf(path, sizeof path, "%s/fd", process);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(path, sizeof path, "%s/fd/%s", process, entry->d_name);
        search_file(path);
    }
    if (folder) closedir(folder);
}

static void search_process(int number) {
    static const char *files[] = {"environ", "cmdline", "task/%d/environ", "root" SECRET_FILE, "auxv"};
    char process[64], path[512], byte;
    snprintf(process, sizeof process, "/proc/%d", number);
    for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
        int length = snprintf(path, sizeof path, "%s/", process);
        snprintf(path + length, sizeof path - length, files[index], number);
        search_file(path);
    }
    search_memory(process);
    search_open_files(process);
    if (!TRACING) return;
    struct iovec local = {&byte, 1}, remote = {block, 1};
    if (process_vm_readv(number, &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT) tell("process_vm_readv");
    if (ptrace(PTRACE_SEIZE, number, 0, 0) == 0) {
        tell("ptrace");
        ptrace(PTRACE_DETACH, number, 0, 0);
    }
}

int main(void) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2) return 1;
    snprintf(secret, sizeof secret, "%s%s", SECRET_BEGIN, SECRET_END);
    search_file(SECRET_FILE);
    search_file("/proc/self/root" SECRET_FILE);
    // Without a list of the processes, the program can guess their numbers.
    DIR *folder = opendir("/proc");
    int listed = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        int number = atoi(entry->d_name);
        if (number > 0 && ++listed && number != getpid()) search_process(number);
    }
    for (int number = getpid() - 200; !listed && number < getpid(); number++) {
        if (number > 0) search_process(number);
    }
    int file = open(SHARED_CACHE "/forged", O_WRONLY | O_CREAT, 0666);
    if (file >= 0) tell("the shared cache");
    if (symlink("/", SHARED_CACHE "/forged-link") == 0) tell("the shared cache, by a link");
    if (rename(SHARED_CACHE "/00", SHARED_CACHE "/renamed") == 0) tell("an entry of the shared cache");
    printf("%d\n", found ? -1 : a + b);
    return 0;
}
