import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionTable, actionTablePath, actionTableText } from './entry-points/action-table.ts';
import { root } from './install.mjs';

/** `node bin/actions.ts`: writes which entry points lead to each action, after one of them has changed. */
writeFileSync(join(root, actionTablePath), actionTableText(actionTable()));
