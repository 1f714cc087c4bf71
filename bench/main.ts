import { measureAnalytics } from './analytics.ts';
import { measureBackups } from './backups.ts';
import { measureContent } from './content.ts';
import { measureCreators } from './creators.ts';
import { measureFigures } from './figures.ts';
import { measureFiles } from './files.ts';
import { measureHosting } from './hosting.ts';
import { measureLaunchers } from './launchers.ts';
import { measureMemory } from './memory.ts';
import { measureModeration } from './moderation.ts';
import { measureNotifications } from './notifications.ts';
import { measurePages } from './pages.ts';
import { measurePeople } from './people.ts';
import { measurePlanes } from './planes.ts';
import { measureRenewals } from './renewals.ts';
import { type Row, report } from './report.ts';
import { measureRevenue } from './revenue.ts';
import { measureScanner } from './scanner.ts';
import { measureSearch } from './search.ts';
import { measureSite } from './site.ts';
import { measureSleep } from './sleep.ts';

/**
 * `npm run bench` runs all benchmarks, `npm run bench -- search` one suite; ratios compare results of the same run.
 * Exits with code 1 when a target was missed or something failed, 2 for an unknown suite. Prints all results so far in
 * any case and stores them as JSON in bench/results.
 */
const suites: Record<string, (rows: Row[]) => Promise<void>> = {
  site: measureSite,
  pages: measurePages,
  search: measureSearch,
  hosting: measureHosting,
  planes: measurePlanes,
  figures: measureFigures,
  backups: measureBackups,
  files: measureFiles,
  content: measureContent,
  launchers: measureLaunchers,
  memory: measureMemory,
  people: measurePeople,
  notifications: measureNotifications,
  analytics: measureAnalytics,
  renewals: measureRenewals,
  revenue: measureRevenue,
  creators: measureCreators,
  moderation: measureModeration,
  scanner: measureScanner,
  sleep: measureSleep,
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(suites);
const unknown = names.filter((name) => !Object.hasOwn(suites, name));
if (unknown.length > 0) {
  console.error(`Unknown suite: ${unknown.join(', ')}. Available: ${Object.keys(suites).join(', ')}.`);
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
