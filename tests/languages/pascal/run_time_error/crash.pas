begin
  runerror(200);
end.
