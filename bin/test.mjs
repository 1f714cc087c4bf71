import { missingSpace } from './free-space.mjs';
import { node24 } from './install.mjs';

const problem = missingSpace();
if (problem) {
  console.error(problem);
  process.exit(1);
}
process.env.TEST_BEGAN_MS = String(Date.now()); // the installation counts
await node24('bin/test.ts', { tools: true });
