#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Embed the pages of rules: embed_pages.py docs/rules/*.md > rule_pages.c

Each becomes {"NAME", "text"}, by the name of its file, in the order of names.
"""
import os
import sys


def quoted(text):
    out = []
    for line in text.splitlines(keepends=True):
        data = line.encode()
        out.append('"' + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in data) + '"')
    return "\n\t  ".join(out)


def main():
    print('/* Made by embed_pages.py. */\n#include "report/ci/explain.h"\n')
    print("const struct mlv_rule_page mlv_rule_pages[] = {")
    for path in sorted(sys.argv[1:]):
        with open(path, encoding="utf-8") as f:
            print(f'\t{{ "{os.path.basename(path).removesuffix(".md")}",\n\t  {quoted(f.read())} }},')
    print("};\n\nconst size_t mlv_rule_page_count = sizeof(mlv_rule_pages) / sizeof(*mlv_rule_pages);")


main()
