read -r number
echo $((number - 1))
