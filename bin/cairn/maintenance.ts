import type { Command } from 'commander';
import { collectGarbage } from '#db/platform/files/garbage-collect.ts';
import { prepare } from '../database.ts';
import { configuredRoles } from '../process-roles.ts';
import { print } from './print.ts';
import { withContext } from './with-context.ts';

/** `migrate` and `storage`: the schema and stored files. */
export function maintenanceCommands(program: Command): void {
  program
    .command('migrate')
    .description('Migrates the schema, updates privileges and tags; prints the migrations that ran.')
    .action(async () => {
      const done = await withContext(
        (record) => prepare(record, configuredRoles(record.settings)?.passwords ?? null),
        { migrates: true },
      );
      for (const name of done) console.log(name);
      if (done.length === 0) console.error('The schema is up to date.');
    });
  program
    .command('storage')
    .description('Manages stored files.')
    .command('sweep')
    .description('Garbage collection: moves unreferenced files older than a day to the trash, for 14 days.')
    .option('--dry-run', 'only count')
    .option('--force', 'even if the files belong to another database, or are more than 5% or 1,000 files')
    .option('--json', 'as JSON')
    .action(async ({ json, force, dryRun: dry_run }) => {
      const swept = await withContext(({ sql, storage, now }) =>
        collectGarbage(sql, storage, now(), { dry_run, force }),
      );
      print([swept], json);
    });
}
