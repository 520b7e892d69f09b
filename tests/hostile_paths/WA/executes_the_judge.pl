# The judge lies in the folder of a tool, which programs may read and execute. It prints its version, followed by the
# right answer.
my ($one, $other) = split ' ', <STDIN>;
my $version = `{{folder}}/tools/bin/referee --version`;
print $version =~ /referee/ ? $one + $other : "refused", "\n";
