import { readFileSync } from "fs";

const numbers: number[] = readFileSync(0, "utf8").split(/\s+/).map(Number);
console.log(numbers[0] - numbers[1]);
