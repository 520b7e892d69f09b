main :: IO ()
main = loop 0

loop :: Integer -> IO ()
loop n = if n < 0 then print n else loop (n + 1)
