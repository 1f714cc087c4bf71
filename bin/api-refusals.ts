import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationRefusals, refusalsPath } from './api-refusals/operation-refusals.ts';
import { root } from './install.mjs';

/** `node bin/api-refusals.ts`: writes which refusals each operation can give, after routes or rules have changed. */
writeFileSync(join(root, refusalsPath), operationRefusals());
