import { node24 } from './install.mjs';

node24('bin/check.ts');
