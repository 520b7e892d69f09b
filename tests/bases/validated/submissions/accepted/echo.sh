read -r x
echo $x
