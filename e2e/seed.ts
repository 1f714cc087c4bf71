import { withContext } from '../bin/cairn/with-context.ts';
import { prepare, seedOnce } from '../bin/database.ts';

/** Projects that get pictures: drawing those of all is half of a first start, and tests look at few. */
const galleries = 24;

/** Fills the data folder of the product under test, in place of its first start. */
await withContext(async (record) => {
  await prepare(record.sql);
  await seedOnce(record, { galleries });
});
