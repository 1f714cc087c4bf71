import { measureHosting } from './hosting.ts';
import { measureMemory } from './memory.ts';
import { measurePages } from './pages.ts';
import { type Row, report } from './report.ts';
import { measureSearch } from './search.ts';
import { measureSite } from './site.ts';

/**
 * `npm run bench` measures everything, `npm run bench -- search` one suite; ratios are taken in the same run. Ends with
 * code 1 when a target was missed or something failed, 2 when a suite is unknown. What was measured until then is
 * shown in any case, and lies in bench/results as JSON.
 */
const suites: Record<string, (rows: Row[]) => Promise<void>> = {
  site: measureSite,
  pages: measurePages,
  search: measureSearch,
  hosting: measureHosting,
  memory: measureMemory,
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(suites);
const unknown = names.filter((name) => !Object.hasOwn(suites, name));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}.`);
  process.exit(2);
}
const rows: Row[] = [];
let failed = false;
for (const name of names)
  await suites[name]?.(rows).catch((error) => {
    console.error(error);
    failed = true;
  });
process.exit(report(rows) && !failed ? 0 : 1);
