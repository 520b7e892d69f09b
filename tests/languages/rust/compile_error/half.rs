fn main() {
