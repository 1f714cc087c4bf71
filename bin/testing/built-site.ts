import { build } from '../build.ts';

/** Page tests show the site as the build made it, with the languages for tests: builds it when its sources changed. */
export default async function setup(): Promise<void> {
  await build(new AbortController().signal, console.log, true);
}
