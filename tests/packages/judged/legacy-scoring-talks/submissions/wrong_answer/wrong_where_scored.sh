read -r kind
low=1 high=100
[ $kind = scored ] && echo none && exit 1
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
