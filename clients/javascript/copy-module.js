// Copies the module from the pages that use it, and the licence: npm runs this before it packs. The folder to copy to may
// be given.

import { copyFileSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const target = process.argv[2] ?? here;
const { files } = JSON.parse(readFileSync(resolve(here, "package.json"), "utf8"));

for (const name of files.filter((each) => each.endsWith(".js"))) {
  copyFileSync(resolve(here, "../../ordws/web/pages/static", name), resolve(target, name));
}
copyFileSync(resolve(here, "../../LICENSE"), resolve(target, "LICENSE"));
