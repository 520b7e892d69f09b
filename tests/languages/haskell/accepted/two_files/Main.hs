import Add (add)
import qualified Data.Map as Map

main :: IO ()
main = interact $ \text ->
  let numbers = Map.fromList (zip [0 :: Int ..] (map read (words text)))
   in show (add (numbers Map.! 0) (numbers Map.! 1)) ++ "\n"
