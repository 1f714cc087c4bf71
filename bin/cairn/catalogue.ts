import { Argument, type Command, Option } from 'commander';
import { changeStatus } from '#db/catalogue/projects/change-status.ts';
import { type LockedProject, lockProject } from '#db/catalogue/projects/locked.ts';
import { rejectAsMalware } from '#db/catalogue/projects/malware.ts';
import { newestProjects, projectRef } from '#db/catalogue/projects/read.ts';
import { type Status, statuses } from '#db/catalogue/projects/rules.ts';
import { seedBulk } from '#db/demo/bulk.ts';
import { takedownKinds } from '#db/moderation/takedowns/rules.ts';
import { restoreProject, takeDown } from '#db/moderation/takedowns/write.ts';
import { operator } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { UserError } from '../user-error.ts';
import { positive, print } from './print.ts';
import { withContext } from './with-context.ts';

/** `project` and `seed`: the content of the catalog. */
export function catalogueCommands(program: Command): void {
  const project = program.command('project').description('Manages the projects of the catalog.');
  project
    .command('status')
    .description('Changes the status of a project, with the rights of an administrator.')
    .argument('<slug>', 'slug or ID')
    .addArgument(new Argument('<status>', 'the new status').choices([...statuses]))
    .action((slug: string, to: Status) =>
      change(slug, (tx, one, now) => changeStatus(tx, operator, one, { to, api: 2, now })),
    );
  project
    .command('hold')
    .description('Places a project under legal hold: its page answers 451.')
    .argument('<slug>', 'slug or ID')
    .requiredOption('--reason <text>', 'who ordered it and why; its members read it')
    .addOption(new Option('--kind <kind>', 'what it is counted as').choices(takedownKinds).default('order'))
    .option('--reference <text>', 'the number of the notice or order')
    .action((slug: string, { reason, kind, reference }) =>
      change(slug, async (tx, one, now) => {
        await takeDown(tx, operator, one, { kind, reason, reference, now });
      }),
    );
  project
    .command('malware')
    .description('Rejects a project as malware: its files are not served while it has this status.')
    .argument('<slug>', 'slug or ID')
    .action((slug: string) => change(slug, (tx, one, now) => rejectAsMalware(tx, operator, one, now)));
  project
    .command('release')
    .description('Releases a project from legal hold and restores its status.')
    .argument('<slug>', 'slug or ID')
    .action((slug: string) => change(slug, (tx, one, now) => restoreProject(tx, operator, one, now)));
  project
    .command('list')
    .description('Lists projects, newest first.')
    .option('--limit <count>', 'how many', positive, 50)
    .option('--json', 'as JSON')
    .action(async ({ limit, json }) => {
      const rows = await withContext(({ sql }) => newestProjects(sql, limit));
      print(rows, json);
    });
  program
    .command('seed')
    .description(
      'Adds generated approved projects with about ten versions each; their files cannot be downloaded.',
    )
    .requiredOption('--projects <count>', 'how many, up to 200000', positive)
    .action(async ({ projects }) => {
      await withContext(({ sql, now }) =>
        seedBulk(sql, projects, {
          now: now(),
          onProgress: (done, of) => console.error(`${done} of ${of}`),
        }),
      );
    });
}

/** Locks the project with this slug or id and changes it. */
async function change(
  slug: string,
  verb: (tx: Db, project: LockedProject, now: Date) => Promise<void>,
): Promise<void> {
  await withContext(async ({ sql, now }) => {
    const found = await projectRef(sql, slug);
    if (!found) throw new UserError(`There is no project ${slug}.`);
    await sql.begin(async (tx) => verb(tx, await lockProject(tx, found.id, operator), now()));
  });
}
