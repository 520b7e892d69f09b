begin
  writeln(
