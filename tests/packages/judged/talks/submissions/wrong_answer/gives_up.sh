# An end in order, without the right guess.
echo 1
read -r answer
exit 0
