use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Adder;

print Adder::add(split " ", <STDIN>), "\n";
