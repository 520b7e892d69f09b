print (
