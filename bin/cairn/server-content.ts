import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { ContentItem, ContentPlan, PackPlan } from '#db/hosting/servers/content/view.ts';
import { UserError } from '../user-error.ts';
import type { Asking } from './asking.ts';
import { failingAs } from './backup-wait.ts';
import { follow, type Waiting } from './change-follow.ts';
import type { ControlClient } from './control-client.ts';
import { printable } from './file-commands.ts';
import { print } from './print.ts';

interface Planned extends Waiting {
  yes?: boolean;
  dryRun?: boolean;
}

const failure = 'Failed to change the content';
/** Exit code of a command whose plan leaves out something that was asked for, or that is needed. */
const left_out_exit_code = 2;
const projects = 'ID or slug of a project, or with a version: PROJECT:VERSION-ID';

/** `server content`: mods, plugins, data packs and modpacks of game servers, by the same rules as their panel. */
export function contentCommands(server: Command, asking: Asking): void {
  const content = server
    .command('content')
    .description('Shows and changes mods, plugins, data packs and modpacks.');
  const verb = (name: string, description: string) =>
    content
      .command(name)
      .description(description)
      .argument('<server>', 'ID of the server')
      .option('--json', 'as JSON');
  /** A change of which a plan is printed first. */
  const planned = (name: string, description: string) =>
    verb(name, description)
      .option('--dry-run', 'only print the plan')
      .option('--yes', 'make the change; without it only the plan is printed')
      .option('--wait', 'wait until it is done');

  verb('list', 'Lists the content of a server, with updates that fit.').action(
    asking(async (plane, server_id: string, { json }: Waiting) => {
      const { ok: _, ...shown } = await plane.request('content.list', { server_id });
      if (json) return void console.log(JSON.stringify(shown, null, 2));
      print(shown.content.map(itemLine));
      if (shown.pack)
        console.error(`modpack: ${shown.pack.project.title} ${shown.pack.version.version_number}`);
      if (shown.more > 0) console.error(`${shown.more} more files are not listed.`);
    }),
  );
  planned('add', 'Installs projects with what they need.')
    .argument('<project...>', projects)
    .action(
      asking(async (plane, server_id: string, named: string[], how: Planned) => {
        const items = named.map(itemOf);
        const { plan } = await failingAs(failure, () => plane.request('content.plan', { server_id, items }));
        const versions = plan.add.map(({ version }) => version.id);
        await carryOut(plane, server_id, plan, how, (common) =>
          plane.request('content.install', { ...common, versions }),
        );
      }),
    );
  planned('update', 'Updates files, or all, to the newest versions that fit, with what these need.')
    .argument('[path...]', 'as `list` shows them')
    .action(
      asking(async (plane, server_id: string, named: string[], how: Planned) => {
        const paths = named.length > 0 ? named : null;
        const { plan } = await failingAs(failure, () =>
          plane.request('content.update_plan', { server_id, paths }),
        );
        const updates = plan.add.map(({ replaces, version }) => ({ path: replaces, version_id: version.id }));
        await carryOut(plane, server_id, plan, how, (common) =>
          plane.request('content.update', { ...common, updates }),
        );
      }),
    );
  const onFiles = (name: string, description: string) =>
    verb(name, description)
      .argument('<path...>', 'as `list` shows them')
      .option('--wait', 'wait until it is done');
  for (const [name, enabled, description] of [
    ['enable', true, 'Lets the server load files at its next start.'],
    ['disable', false, 'Keeps the server from loading files from its next start on.'],
  ] as const)
    onFiles(name, description).action(
      asking(async (plane, server_id: string, paths: string[], how: Waiting) => {
        const common = { ...(await seen(plane, server_id)), paths };
        const begin = () => plane.request('content.toggle', { ...common, enabled });
        await follow(plane, server_id, failure, begin, how);
      }),
    );
  onFiles('remove', 'Removes files. `undo` brings them back.').action(
    asking(async (plane, server_id: string, paths: string[], how: Waiting) => {
      const common = { ...(await seen(plane, server_id)), paths };
      await follow(plane, server_id, failure, () => plane.request('content.remove', common), how);
    }),
  );
  verb('undo', 'Takes the newest change back.')
    .option('--wait', 'wait until it is done')
    .action(
      asking(async (plane, server_id: string, how: Waiting) => {
        const { changes } = await plane.request('content.list', { server_id });
        const newest = changes.find(({ undoable }) => undoable);
        if (!newest) throw new UserError(`${failure}: there is nothing that can be taken back.`);
        const message = { server_id, op_id: randomUUID(), change_id: newest.id };
        await follow(plane, server_id, failure, () => plane.request('content.undo', message), how);
      }),
    );
  planned('pack', 'Installs a modpack, or another version of it; a backup is made first.')
    .argument('<project>', projects)
    .option('--no-backup', 'make no backup first')
    .option('--stop', 'stop a running server; it is started again afterwards')
    .action(
      asking(
        async (
          plane,
          server_id: string,
          named: string,
          how: Planned & { backup: boolean; stop?: boolean },
        ) => {
          const { plan } = await failingAs(failure, () =>
            plane.request('content.pack_plan', { server_id, ...itemOf(named) }),
          );
          if (!how.yes || how.dryRun) {
            printPack(plan, how);
            return endUnchanged(how);
          }
          const { revision, version } = plan;
          const { backup, stop = false } = how;
          const message = { server_id, op_id: randomUUID(), revision, version_id: version.id, backup, stop };
          await follow(plane, server_id, failure, () => plane.request('content.pack_install', message), how);
        },
      ),
    );
  verb('compare', 'Compares the files of a version of a modpack with the content of a server.')
    .argument('<version>', 'ID of the version')
    .action(
      asking(async (plane, server_id: string, version_id: string, { json }: Waiting) => {
        const { comparison } = await plane.request('content.compare', { server_id, version_id });
        const rows = comparison.rows.map(({ title, client, server: here, state }) => ({
          ...{ state, title: printable(title) },
          ...{ client: printable(client ?? '-'), server: printable(here ?? '-') },
        }));
        print(json ? comparison.rows : rows, json);
      }),
    );
}

/** `PROJECT` or `PROJECT:VERSION-ID`. */
function itemOf(text: string): { project_id: string; version_id?: string } {
  const [project_id = '', version_id] = text.split(':');
  return { project_id, ...(version_id === undefined ? {} : { version_id }) };
}

/** What a change of the content as it is now begins with. */
async function seen(plane: ControlClient, server_id: string) {
  const { revision } = await plane.request('content.list', { server_id });
  return { server_id, op_id: randomUUID(), revision };
}

type Begin = Parameters<typeof follow>[3];

/** Prints a plan, or makes it come true with `--yes`. What it leaves out is on standard error, and makes exit code 2. */
async function carryOut(
  plane: ControlClient,
  server_id: string,
  plan: ContentPlan,
  how: Planned,
  begin: (common: { server_id: string; op_id: string; revision: string }) => ReturnType<Begin>,
): Promise<void> {
  const lacking = plan.skipped.filter(({ problem }) => problem !== 'already_installed');
  const isMade = how.yes === true && !how.dryRun && plan.add.length > 0;
  if (!isMade && how.json) console.log(JSON.stringify(plan, null, 2));
  else if (!isMade) print(plan.add.map(planLine));
  for (const one of plan.skipped) console.error(skippedLine(one));
  if (isMade) {
    const common = { server_id, op_id: randomUUID(), revision: plan.revision };
    await follow(plane, server_id, failure, () => begin(common), how);
  }
  if (lacking.length > 0) throw new UserError(`${lacking.length} left out of the plan.`, left_out_exit_code);
  if (!isMade && plan.add.length > 0) endUnchanged(how);
}

/** Says how to go on, unless only the plan was asked for. */
function endUnchanged({ yes, dryRun }: Planned): void {
  if (!yes && !dryRun) throw new UserError('Nothing was changed: use --yes to do this, or --dry-run.');
}

const planLine = ({ project, version, from, needed_by, bytes, path }: ContentPlan['add'][number]) => ({
  ...{ title: printable(project.title), from: from?.version_number ?? '-', to: version.version_number },
  ...{ needed_by: printable(needed_by ?? ''), bytes, path: printable(path) },
});

function skippedLine({ project, problem, needed_by, fits }: ContentPlan['skipped'][number]): string {
  const fitting = [...(fits?.loaders ?? []), ...(fits?.game_versions ?? [])].slice(0, 20).join(', ');
  const name = project?.title ?? 'a project that is not there';
  const text = `${name}: ${problem}${needed_by ? ` (${needed_by})` : ''}${fitting ? `; fits ${fitting}` : ''}`;
  return printable(text);
}

function printPack(plan: PackPlan, { json }: Planned): void {
  if (json) return void console.log(JSON.stringify(plan, null, 2));
  const { loader, added, replaced, removed_count, lost_count, bytes } = plan;
  const becomes =
    loader && [loader.game_version, loader.loader ?? 'vanilla', loader.loader_version ?? ''].join(' ');
  print([
    { becomes: becomes?.trim() ?? '', added, replaced, removed: removed_count, lost: lost_count, bytes },
  ]);
  for (const path of plan.lost) console.error(printable(`lost: ${path}`));
  for (const { host, count } of plan.foreign) console.error(`${count} from ${host}`);
}

/** A file of content as one line of a table. */
const itemLine = ({ path, type, enabled, project, version, update, problem }: ContentItem) => ({
  ...{ type, enabled: enabled ? 'yes' : 'no', title: printable(project?.title ?? '') },
  ...{ version: version?.version_number ?? '', update: update?.version_number ?? '' },
  ...{ problem: problem ?? '', path: printable(path) },
});
