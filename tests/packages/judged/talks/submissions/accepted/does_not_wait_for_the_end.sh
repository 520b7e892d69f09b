# Closes its input and exits as soon as the guess is right.
low=1 high=100
while :; do
  guess=$(((low + high) / 2))
  echo $guess
  read -r answer
  case $answer in
    correct) exec <&-; exit 0 ;;
    lower) high=$((guess - 1)) ;;
    higher) low=$((guess + 1)) ;;
    *) exit 9 ;;
  esac
done
