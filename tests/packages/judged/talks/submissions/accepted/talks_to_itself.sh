# Standard error does not affect the interaction.
head -c 300000 /dev/zero >&2
low=1 high=100
while :; do
  guess=$(((low + high) / 2))
  echo $guess
  read -r answer
  case $answer in
    correct) exit 0 ;;
    lower) high=$((guess - 1)) ;;
    higher) low=$((guess + 1)) ;;
    *) exit 9 ;;
  esac
done
