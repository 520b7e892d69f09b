read -r number
[ $number = 12 ] && number=100
echo $((number + 1))
