console.log(
