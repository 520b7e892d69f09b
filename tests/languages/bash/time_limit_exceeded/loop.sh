while true; do
    :
done
