import { type Row, report } from './report.ts';
import { measureSearch } from './search.ts';
import { measureSite } from './site.ts';

/**
 * `npm run bench` measures everything, `npm run bench -- search` one suite; ratios are taken in the same run. Ends with
 * code 1 when a target was missed, 2 when a suite is unknown. Results also lie in bench/results as JSON.
 */
const suites: Record<string, () => Promise<Row[]>> = { site: measureSite, search: measureSearch };

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(suites);
const unknown = names.filter((name) => !Object.hasOwn(suites, name));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}.`);
  process.exit(2);
}
const rows: Row[] = [];
for (const name of names) rows.push(...((await suites[name]?.()) ?? []));
process.exit(report(rows) ? 0 : 1);
