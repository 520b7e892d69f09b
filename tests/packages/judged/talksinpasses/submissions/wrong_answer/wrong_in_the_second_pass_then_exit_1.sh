read -r number
[ $number = 6 ] && { echo x; exit 1; }
echo $((number + 1))
