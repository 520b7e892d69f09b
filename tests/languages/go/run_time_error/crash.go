package main

func main() {
	panic("on purpose")
}
