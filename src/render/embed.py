#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Embed a script as a C string: embed.py NAME HEADER FILE > FILE.c

The script becomes the content of a CDATA section of an SVG, so it must not hold the end of one.
"""
import sys


def main():
    name, header, path = sys.argv[1:]
    with open(path, encoding="utf-8") as f:
        text = f.read()
    text = text.replace("// SPDX-License-Identifier: MIT\n", "", 1)
    if "]]>" in text:
        sys.exit(f"{path} holds ]]>, which would end it in a picture")
    data = text.encode() + b"\0"
    print(f'/* Made by embed.py. */\n#include "{header}"\n\nconst char {name}[] = {{')
    for i in range(0, len(data), 24):
        # char is signed on some machines
        print("\t" + " ".join(f"{b if b < 128 else b - 256}," for b in data[i : i + 24]))
    print("};")


main()
