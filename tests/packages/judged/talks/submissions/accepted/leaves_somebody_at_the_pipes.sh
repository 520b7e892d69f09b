# Leaves a process that holds its pipes open.
setsid sleep 60 &
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
