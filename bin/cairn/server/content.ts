import type { ChangeView, ContentItem, ContentPlan, PackPlan } from '#db/hosting/servers/content/view.ts';
import { UserError } from '../../user-error.ts';
import type { ControlClient } from '../control-client.ts';
import { print, printable, printJson } from '../print.ts';
import { followChange } from './change-tasks.ts';
import { fixed, flag, json, op_id, server, text, wait } from './parameters.ts';
import { type Row, row } from './row.ts';
import { failingAs } from './tasks.ts';

const failure = 'Failed to change the content';
/** Exit code of a command whose plan leaves out something that was asked for, or that is needed. */
const left_out_exit_code = 2;

const projects = 'ID or slug of a project, or with a version: PROJECT:VERSION-ID';
const onServer = { server_id: server, json };
const onFiles = { ...onServer, paths: text('<path...>', 'as `list` shows them'), wait, op_id };
/** A change of which a plan is printed first. */
const planned = {
  ...onServer,
  dry_run: flag('--dry-run', 'only print the plan'),
  yes: flag('--yes', 'make the change; without it only the plan is printed'),
  wait,
  op_id,
};

/** Mods, plugins, data packs and modpacks of game servers. */
export const contentRows: Row[] = [
  row('content list', 'Lists the content of a server, with updates that fit.', onServer)
    .asks('content.list')
    .prints(({ ok: _, ...shown }, { json }) => {
      if (json) return printJson(shown);
      print(shown.content.map(itemLine));
      if (shown.pack)
        console.error(`modpack: ${shown.pack.project.title} ${shown.pack.version.version_number}`);
      if (shown.more > 0) console.error(`${shown.more} more files are not listed.`);
    }),
  row('content add', 'Installs projects with what they need.', {
    ...planned,
    named: text('<project...>', projects),
  }).runs(async (plane, { named, ...how }) => {
    const { server_id } = how;
    const items = named.map(itemOf);
    const { plan } = await failingAs(failure, () => plane.request('content.plan', { server_id, items }));
    const versions = plan.add.map(({ version }) => version.id);
    await carryOut(plane, plan, how, (common) => plane.request('content.install', { ...common, versions }));
  }),
  row('content update', 'Updates files, or all, to the newest versions that fit, with what these need.', {
    ...planned,
    named: text('[path...]', 'as `list` shows them'),
  }).runs(async (plane, { named, ...how }) => {
    const { server_id } = how;
    const paths = named.length > 0 ? named : null;
    const { plan } = await failingAs(failure, () =>
      plane.request('content.update_plan', { server_id, paths }),
    );
    const updates = plan.add.map(({ replaces, version }) => ({ path: replaces, version_id: version.id }));
    await carryOut(plane, plan, how, (common) => plane.request('content.update', { ...common, updates }));
  }),
  row('content enable', 'Lets the server load files at its next start.', { ...onFiles, enabled: fixed(true) })
    .asks('content.toggle', atRevision)
    .follows(failure, followChange),
  row('content disable', 'Keeps the server from loading files from its next start on.', {
    ...onFiles,
    enabled: fixed(false),
  })
    .asks('content.toggle', atRevision)
    .follows(failure, followChange),
  row('content remove', 'Removes files. `undo` brings them back.', onFiles)
    .asks('content.remove', atRevision)
    .follows(failure, followChange),
  row('content undo', 'Takes the newest change back.', { ...onServer, wait, op_id })
    .asks('content.undo', async (message, plane) => {
      const { changes } = await plane.request('content.list', { server_id: message.server_id });
      const newest = changes.find(({ undoable }) => undoable);
      if (!newest) throw new UserError(`${failure}: there is nothing that can be taken back.`);
      return { ...message, change_id: newest.id };
    })
    .follows(failure, followChange),
  row('content pack', 'Installs a modpack, or another version of it; a backup is made first.', {
    ...planned,
    named: text('<project>', projects),
    backup: flag('--no-backup', 'make no backup first'),
    stop: flag('--stop', 'stop a running server; it is started again afterwards'),
  }).runs(async (plane, { server_id, op_id, named, backup, stop, ...how }) => {
    const { plan } = await failingAs(failure, () =>
      plane.request('content.pack_plan', { server_id, ...itemOf(named) }),
    );
    if (!how.yes || how.dry_run) {
      printPack(plan, how);
      return endUnchanged(how);
    }
    const message = { server_id, op_id, revision: plan.revision, version_id: plan.version.id, backup, stop };
    const begun = await failingAs(failure, () => plane.request('content.pack_install', message));
    await followChange(begun, { server_id, ...how }, { plane, failure });
  }),
  row('content compare', 'Compares the files of a version of a modpack with the content of a server.', {
    ...onServer,
    version_id: text('<version>', 'ID of the version'),
  })
    .asks('content.compare')
    .shows(
      ({ comparison }) => comparison.rows,
      (rows) =>
        rows.map(({ title, client, server, state }) => ({
          ...{ state, title: printable(title) },
          ...{ client: printable(client ?? '-'), server: printable(server ?? '-') },
        })),
    ),
];

/** What a command with a plan was given. */
interface Planned {
  server_id: string;
  op_id: string;
  json: boolean;
  dry_run: boolean;
  yes: boolean;
  wait: boolean;
}

/** `PROJECT` or `PROJECT:VERSION-ID`. */
function itemOf(text: string): { project_id: string; version_id?: string } {
  const [project_id = '', version_id] = text.split(':');
  return { project_id, ...(version_id === undefined ? {} : { version_id }) };
}

/** Of a change of the content as it is now. */
async function atRevision<M extends { server_id: string }>(message: M, plane: ControlClient) {
  const { revision } = await plane.request('content.list', { server_id: message.server_id });
  return { ...message, revision };
}

/** Prints a plan, or makes it come true with `--yes`. What it leaves out is on standard error, and makes exit code 2. */
async function carryOut(
  plane: ControlClient,
  plan: ContentPlan,
  how: Planned,
  begin: (common: { server_id: string; op_id: string; revision: string }) => Promise<{ change: ChangeView }>,
): Promise<void> {
  const lacking = plan.skipped.filter(({ problem }) => problem !== 'already_installed');
  const isMade = how.yes && !how.dry_run && plan.add.length > 0;
  if (!isMade && how.json) printJson(plan);
  else if (!isMade) print(plan.add.map(planLine));
  for (const one of plan.skipped) console.error(skippedLine(one));
  if (isMade) {
    const { server_id, op_id } = how;
    const begun = await failingAs(failure, () => begin({ server_id, op_id, revision: plan.revision }));
    await followChange(begun, how, { plane, failure });
  }
  if (lacking.length > 0) throw new UserError(`${lacking.length} left out of the plan.`, left_out_exit_code);
  if (!isMade && plan.add.length > 0) endUnchanged(how);
}

/** Says how to go on, unless only the plan was asked for. */
function endUnchanged({ yes, dry_run }: Pick<Planned, 'yes' | 'dry_run'>): void {
  if (!yes && !dry_run) throw new UserError('Nothing was changed: use --yes to do this, or --dry-run.');
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

function printPack(plan: PackPlan, { json }: Pick<Planned, 'json'>): void {
  if (json) return void printJson(plan);
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
