import { build } from '../build.ts';
import { compile, compileCache } from '../install.mjs';

/**
 * For tests of the site as the build made it, with the languages for tests: builds and compiles it when its sources changed,
 * because some start it again and again; in `npm test` both is done by then.
 */
export default async function setup(): Promise<void> {
  await build(new AbortController().signal, console.log, true);
  process.env.NODE_COMPILE_CACHE ??= compileCache;
  await compile(process.env);
}
