print("{{most}}")
