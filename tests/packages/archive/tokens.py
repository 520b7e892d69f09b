"""Compares texts token by token. Validators of several packages of this archive link to this file."""


def same_tokens(one, other):
    return one.split() == other.split()
