read -r line
echo no
