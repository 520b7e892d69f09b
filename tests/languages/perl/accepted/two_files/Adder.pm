package Adder;

sub add {
    my ($first, $second) = @_;
    return $first + $second;
}

1;
