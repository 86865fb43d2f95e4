"""requirements.py WHEEL CONSTRAINTS NEEDED OPTIONAL: what the integrations of a Home Assistant wheel want that the tests load.

NEEDED gets the requirements of those that are always loaded and of the tests' own; OPTIONAL those of platforms that only fill the
log when they lack theirs.
"""
import ast
import json
import sys
import zipfile

wheel, constraints, needed_file, optional_file = sys.argv[1:]
archive = zipfile.ZipFile(wheel)
names = set(archive.namelist())
FOLDER = "homeassistant/components/"
OWN = {"mqtt", "recorder", "history", "frontend", "map", "config", "api", "websocket_api", "isal", "network", "logger", "system_log",
       "homeassistant", "persistent_notification", "lovelace"}


def manifest(domain):
    path = f"{FOLDER}{domain}/manifest.json"
    return json.loads(archive.read(path)) if path in names else None


def assignments(path):
    for node in ast.walk(ast.parse(archive.read(path))):
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            yield getattr(node, "targets", [getattr(node, "target", None)])[0], node.value


def always_loaded():
    for target, value in assignments("homeassistant/bootstrap.py"):
        name = getattr(target, "id", "")
        if name.startswith("DEFAULT_INTEGRATIONS") and not name.endswith(("SUPERVISOR", "RECOVERY_MODE")):
            yield from (part.value for part in ast.walk(value) if isinstance(part, ast.Constant))


def gather(domains, seen, with_later=()):
    requirements, todo = set(), sorted(domains)
    while todo:
        domain = todo.pop()
        entry = manifest(domain)
        if domain in seen or entry is None:
            continue
        seen.add(domain)
        requirements |= set(entry.get("requirements", []))
        todo += entry.get("dependencies", [])
        todo += [later for later in entry.get("after_dependencies", []) if later in with_later]
    return requirements


wanted = OWN | set(always_loaded())
seen = set()
needed = gather(wanted, seen, wanted)
# The entity platforms whose modules mqtt imports, and hassio, which its config flow imports.
platforms = [name.split("/")[3][:-3] for name in names if name.startswith(FOLDER + "mqtt/") and name.endswith(".py")]
for domain in [*platforms, "hassio"]:
    needed |= set((manifest(domain) or {}).get("requirements", []))
all_platforms = [value.value for _, value in assignments("homeassistant/generated/entity_platforms.py")
                 if isinstance(value, ast.Constant) and isinstance(value.value, str)]
optional = gather(all_platforms, seen) - needed

with open(constraints, "wb") as file:
    file.write(archive.read("homeassistant/package_constraints.txt"))
for path, lines in (needed_file, needed), (optional_file, optional):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in sorted(lines))
