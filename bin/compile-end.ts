import { flushCompileCache } from 'node:module';

// evaluated first: everything else is loaded and compiled by now, and must not run
flushCompileCache();
process.exit();
