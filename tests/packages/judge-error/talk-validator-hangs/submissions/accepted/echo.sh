read -r x
echo $x
read -r y
