read -r number
echo $number
