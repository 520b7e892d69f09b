// A template that instantiates itself endlessly. The compiler's message is just as long.
template <int N> struct Deep { static const int value = Deep<N + 1>::value + Deep<N + 2>::value; };

int main() { return Deep<0>::value; }
