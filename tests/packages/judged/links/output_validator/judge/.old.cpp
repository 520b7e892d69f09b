this does not compile
