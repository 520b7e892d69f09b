# `perl -c` runs this block while the judge compiles. It takes all permissions from the tools, which it may read.
BEGIN {
    for my $name ("{{folder}}/tools/lib/module.pm", "{{folder}}/tools/bin/perl") {
        open(my $file, "<", $name) or print STDERR "open: $!\n";
        print STDERR "fchmod: ", (chmod(0, $file) ? "done" : "$!"), "\n";
        print STDERR "chmod: ", (chmod(0, $name) ? "done" : "$!"), "\n";
    }
    exit 1;
}
