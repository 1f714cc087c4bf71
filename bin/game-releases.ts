import { readFileSync, writeFileSync } from 'node:fs';
import { rowsFor, withoutFacts } from '../db/catalogue/game-releases/rules.ts';

/**
 * `node bin/game-releases.ts`: adds the releases of the catalogue's own list of game versions to the table that pack formats,
 * Java versions and offers of servers come from, and says which of them still need their facts.
 */
const table = new URL('../db/catalogue/game-releases/data/releases.ts', import.meta.url);
const listed = new URL('../db/catalogue/tags/game-versions.json', import.meta.url);
const rows = rowsFor(JSON.parse(readFileSync(listed, 'utf8')));

const quoted = (value: string | number | null) => (typeof value === 'string' ? `'${value}'` : value);
const lines = rows.map((row) => `  [${row.map(quoted).join(', ')}],\n`);
const text = readFileSync(table, 'utf8');
const start = text.indexOf('= [\n') + 4;
writeFileSync(table, `${text.slice(0, start)}${lines.join('')}];\n`);

for (const version of withoutFacts(rows))
  process.stdout.write(
    `${version} needs its pack formats, its Java versions and the loaders of its servers.\n`,
  );
