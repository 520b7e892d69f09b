read -r number
[ $number = 6 ] && exit 1
echo $((number + 1))
