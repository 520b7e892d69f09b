let () = Scanf.scanf
  (
