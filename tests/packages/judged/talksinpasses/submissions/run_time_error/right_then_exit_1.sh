# The validator accepts and requests another pass, which does not run.
read -r number
echo $((number + 1))
exit 1
