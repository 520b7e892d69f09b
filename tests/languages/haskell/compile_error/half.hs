main :: IO ()
main = print (
