# Nobody answers a wrong guess; the end of its input kills it.
echo 0
read -r answer || exit 1
