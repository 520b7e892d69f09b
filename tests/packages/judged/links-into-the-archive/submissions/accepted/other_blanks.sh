#!/bin/sh
tr " " "\n"
