import { readFileSync } from "fs";

import { add } from "./add";

const numbers: number[] = readFileSync(0, "utf8").split(/\s+/).map(Number);
console.log(add(numbers[0], numbers[1]));
