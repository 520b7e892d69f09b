read -r number
[ $number = 21 ] && exit 1
echo $((number + 1))
