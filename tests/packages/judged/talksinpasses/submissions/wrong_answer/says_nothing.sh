read -r number
