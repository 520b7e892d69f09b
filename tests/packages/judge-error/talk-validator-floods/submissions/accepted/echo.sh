cat > /dev/null
