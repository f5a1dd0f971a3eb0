#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Join the modules of the page into one script and embed it, with the styles, as C source.

    bundle.py main.js [OTHER.js...] [STYLE.css...] > assets.c

The page is one file that may load nothing, so its modules become one script, in the order in which
they import each other. That is all this does: no minifier, no transpiler, no package manager. For
it to be that simple, modules are written in one way: `import { name } from "./file.js";` and
`export` in front of a function, class or const; names of the top level are unique over all modules.
What is not written so is an error here. The hashes go into the page's Content-Security-Policy.
"""
import base64
import hashlib
import os
import re
import sys

IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"\./([\w.-]+)";[^\S\n]*\n?', re.M)
DECLARED = re.compile(r"^(export )?(?:async )?(?:function\*?|class|const|let) +([A-Za-z_$][\w$]*)", re.M)


def fail(text):
    sys.exit(f"bundle.py: {text}")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


class Module:
    def __init__(self, path):
        self.name = os.path.basename(path)
        text = read(path)
        self.imports = [
            (m.group(2), [n.strip() for n in m.group(1).split(",") if n.strip()])
            for m in IMPORT.finditer(text)
        ]
        declared = DECLARED.findall(text)
        self.names = [name for _, name in declared]
        self.exports = {name for exported, name in declared if exported}
        text = re.sub(r"^export (?=(async )?(function|class|const|let) )", "", IMPORT.sub("", text), flags=re.M)
        for bad, why in (
            (r"^import\b.*", "an import that is not `import { names } from \"./file.js\";`"),
            (r"^export\b.*", "an export that is not in front of a function, class or const"),
            (r"(?i)</script|<!--", "text that would end the script in a page"),
        ):
            found = re.search(bad, text, flags=re.M)
            if found:
                fail(f"{self.name}: {why}: {found.group(0)}")
        self.text = text.replace("// SPDX-License-Identifier: MIT\n", "", 1).strip()


def ordered(modules, main):
    order, state = [], {}

    def visit(name, by):
        if name not in modules:
            fail(f"{by} imports {name}, which meson.build does not list")
        if state.get(name) == "open":
            fail(f"{by} and {name} import each other")
        if name in state:
            return
        state[name] = "open"
        for other, names in modules[name].imports:
            visit(other, name)
            for missing in set(names) - modules[other].exports:
                fail(f"{name} imports {missing}, which {other} does not export")
        state[name] = "done"
        order.append(modules[name])

    visit(main, "the page")
    for unused in modules.keys() - state.keys():
        fail(f"{unused} is imported by no module")
    return order


def script(paths):
    modules = {os.path.basename(p): Module(p) for p in paths}
    owners = {}
    for module in modules.values():
        for name in module.names:
            if name in owners:
                fail(f"{name} is declared in {owners[name]} and in {module.name}")
            owners[name] = module.name
    parts = [m.text for m in ordered(modules, os.path.basename(paths[0]))]
    return '\n(() => {\n"use strict";\n' + "\n\n".join(parts) + "\n})();\n"


def style(paths):
    text = "\n" + "\n".join(read(p).strip() for p in paths) + "\n"
    if "</" in text:
        fail("a style holds text that could end it in a page")
    return text


def emit(name, text):
    data = text.encode()
    digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
    print(f"const unsigned char mlv_html_{name}[] = {{")
    for i in range(0, len(data), 24):
        print("\t" + " ".join(f"{b}," for b in data[i : i + 24]))
    print("};")
    print(f"const size_t mlv_html_{name}_size = sizeof(mlv_html_{name});")
    print(f'const char mlv_html_{name}_hash[] = "sha256-{digest}";')


def main():
    scripts = [p for p in sys.argv[1:] if p.endswith(".js")]
    styles = [p for p in sys.argv[1:] if p.endswith(".css")]
    print('/* Made by bundle.py. */\n#include "render/html/assets.h"\n')
    emit("script", script(scripts))
    emit("style", style(styles))


main()
