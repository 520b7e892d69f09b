read -r number
[ $number = 7 ] && exec echo x
echo $((number + 1))
