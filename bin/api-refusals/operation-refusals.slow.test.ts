import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../install.mjs';
import { operationRefusals, refusalsPath } from './operation-refusals.ts';

it('the documents name the refusals that are in the code', { timeout: 600_000 }, () => {
  const text = readFileSync(join(root, refusalsPath), 'utf8');
  expect(JSON.parse(text), 'run: node bin/api-refusals.ts').toEqual(JSON.parse(operationRefusals()));
});
