read -r kind
low=1 high=100
while :; do
    guess=$(((low + high) / 2))
    echo $guess
    read -r answer
    case $answer in
        lower) high=$((guess - 1)) ;;
        higher) low=$((guess + 1)) ;;
        *) break ;;
    esac
done
[ $kind = plain ] || [ $guess = 50 ]
