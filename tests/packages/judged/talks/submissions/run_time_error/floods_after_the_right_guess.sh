# Exceeds the output limit after the right guess. The validator reads all of the output.
low=1 high=100
while :; do
  guess=$(((low + high) / 2))
  echo $guess
  read -r answer
  case $answer in
    correct) head -c 3000000 /dev/zero; exit 0 ;;
    lower) high=$((guess - 1)) ;;
    higher) low=$((guess + 1)) ;;
    *) exit 9 ;;
  esac
done
