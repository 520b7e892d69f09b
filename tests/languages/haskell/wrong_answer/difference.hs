main :: IO ()
main = interact $ \text -> let [a, b] = map read (words text) :: [Int] in show (a - b) ++ "\n"
