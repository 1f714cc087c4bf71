import { type AnalyticsRecord, insertRecords } from '../db/discovery/analytics/records.ts';
import { rollUp } from '../db/discovery/analytics/roll-up.ts';
import { withDatabase } from './database.ts';

const day_ms = 86_400_000;
/** Days of a history, today not among them. */
export const history_days = 20;
/** How many downloads a day has. */
const countries = { DE: 6, FR: 3, US: 11 };

/**
 * A history of downloads and views in the database of the product that the browser tests run on, summed up: each day 20
 * downloads and 40 views.
 */
export const addHistory = (project_id: string, version_id: string): Promise<void> =>
  withDatabase(async (sql) => {
    const now = new Date();
    const records: AnalyticsRecord[] = [];
    for (let back = 1; back <= history_days; back++) {
      const at = new Date(now.getTime() - back * day_ms);
      const common = { at, project_id };
      for (const [country, amount] of Object.entries(countries)) {
        const about = { version_id, country, loader: 'fabric', game_version: '1.21.1', source: 'website' };
        records.push({ ...common, ...about, kind: 'download', amount });
      }
      records.push({ ...common, kind: 'view', amount: 40, country: 'DE', domain: 'example.org' });
    }
    await sql.begin(async (tx) => await insertRecords(tx, records));
    await rollUp(sql, now, { records_d: 30 });
  });
