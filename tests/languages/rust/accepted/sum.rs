use std::io::read_to_string;

fn main() {
    let text = read_to_string(std::io::stdin()).unwrap();
    println!("{}", text.split_whitespace().map(|number| number.parse::<i32>().unwrap()).sum::<i32>());
}
