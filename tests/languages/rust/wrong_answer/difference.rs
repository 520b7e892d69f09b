use std::io::read_to_string;

fn main() {
    let text = read_to_string(std::io::stdin()).unwrap();
    let numbers: Vec<i32> = text.split_whitespace().map(|number| number.parse().unwrap()).collect();
    println!("{}", numbers[0] - numbers[1]);
}
