# The first line is wrong already.
yes
