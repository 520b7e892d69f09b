# Exits with 0 without the right guess.
echo 1
read -r answer
exit 0
