# Can neither see nor kill the validator.
for process in /proc/[0-9]*; do
  grep -q validate $process/cmdline 2> /dev/null && exit 3
done
kill -KILL -1 2> /dev/null
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
