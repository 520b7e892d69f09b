while (1) {
}
