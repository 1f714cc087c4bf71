// Plain JS for any Node from 20.11 on: the last step of `npm run patch` (patch-package runs before it).
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const mark = join(root, 'node_modules/.cairn-patches');

/** A hash over patches/, so that a changed patch triggers an install. */
function patches() {
  const hash = createHash('sha256');
  for (const name of readdirSync(join(root, 'patches')).sort()) {
    if (name.endsWith('.patch')) hash.update(name).update(readFileSync(join(root, 'patches', name)));
  }
  return hash.digest('hex');
}

/** Whether node_modules has the current patches. Throws when it was never patched. */
export const patched = () => readFileSync(mark, 'utf8') === patches();

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(mark, patches());
