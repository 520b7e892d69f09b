fun main() {
