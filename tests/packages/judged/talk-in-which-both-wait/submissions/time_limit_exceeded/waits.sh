#!/bin/sh
read -r line
