class Half {
