const number: number = "a string";
console.log(number);
