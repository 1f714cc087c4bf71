/**
 * Loads and compiles what the product runs, its threads included, and runs nothing of it: the first import ends the
 * process, and modules are evaluated only when all of them are loaded. `install.mjs` says what for.
 */
import './compile-end.ts';
import '../agents/main.ts';
import '../control-plane/main.ts';
import '../db/search/embedded/builder-process.ts';
import '../db/search/embedded/searcher-thread.ts';
import '../db/text/worker.ts';
import '../site/server.ts';
import './main.ts';
