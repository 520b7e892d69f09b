main :: IO ()
main = interact $ \text -> show (sum (map read (words text) :: [Int])) ++ "\n"
