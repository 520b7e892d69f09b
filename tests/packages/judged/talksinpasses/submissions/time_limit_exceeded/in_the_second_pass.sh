read -r number
[ $number = 6 ] && while :; do :; done
echo $((number + 1))
