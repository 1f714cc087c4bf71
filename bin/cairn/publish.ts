import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { type KnownGameVersion, manifestProblems } from '#db/catalogue/manifests/manifest.ts';
import type { ManifestReading } from '#db/catalogue/manifests/read-manifests.ts';
import { limits, settableStatuses, versionTypes } from '#db/catalogue/versions/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import { UserError } from '../user-error.ts';
import { type PublishApi, plain, publishApi, ServerRefusal } from './publish-api.ts';
import { dependenciesFor, type PublishOptions, versionFields } from './publish-fields.ts';
import { type LocalFile, localFiles, manifestsOf, pathOf } from './publish-files.ts';

interface Given extends PublishOptions {
  url: string;
  changelog?: string;
  fileType: string[];
  dryRun?: true;
  json?: true;
}

const list = (text: string, before: string[]): string[] => [
  ...before,
  ...text.split(',').flatMap((one) => one.trim() || []),
];
const each = (text: string, before: string[]): string[] => [...before, text];

/**
 * `publish`: publishes files as one version on any Cairn, with a token from the environment and without a database. Exit
 * codes: 0 done (also when it is published already), 1 refused, 2 wrong use, 3 no answer.
 */
export function publishCommand(program: Command): void {
  program
    .command('publish')
    .description(
      'Publishes a version on any Cairn as the user of CAIRN_TOKEN; reads what it can from the manifest of the first file. Exit codes: 0 done, 1 refused, 2 wrong use, 3 no answer.',
    )
    .argument('<files...>', 'the file that players download, then further ones of the same version')
    .requiredOption('--project <project>', 'slug or ID of the project')
    .addOption(new Option('--url <url>', 'address of Cairn').env('SITE_URL').default('http://127.0.0.1:4321'))
    .option('--name <name>', 'title of the version')
    .option('--number <number>', 'version number')
    .addOption(new Option('--channel <channel>', 'channel').choices(versionTypes))
    .option('--loader <names>', 'loaders, by commas', list, [])
    .option('--game-version <versions>', 'game versions, by commas', list, [])
    .option('--dependency <kind:project>', 'a dependency, instead of those of the manifest', each, [])
    .option('--no-dependencies', 'without dependencies')
    .option('--environment <environment>', 'where it is needed')
    .addOption(new Option('--status <status>', 'status of the version').choices(settableStatuses))
    .option('--featured', 'as a featured version')
    .option('--file-type <name=type>', 'type of a further file', each, [])
    .option('--changelog <file>', 'file with the changelog in Markdown; - for standard input')
    .option('--dry-run', 'only print what would be published')
    .option('--json', 'as JSON')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action(async (paths: string[], options: Given) => {
      try {
        await publish(paths, options);
      } catch (error) {
        const refused = options.json && refusalOf(error);
        if (refused) printJson({ result: 'refused', ...refused });
        throw error;
      }
    });
}

/** What the server said, or what its checks would say that were made here. */
function refusalOf(error: unknown): { error: string; description: string } | null {
  if (error instanceof ServerRefusal) return { error: error.error, description: error.message };
  return error instanceof Refused ? { error: error.code, description: error.message } : null;
}

async function publish(paths: readonly string[], options: Given): Promise<void> {
  const url = addressOf(options.url);
  const token = process.env.CAIRN_TOKEN;
  if (!token) throw new UserError('No token: set CAIRN_TOKEN.', 2);
  const changelog = await changelogOf(options.changelog);
  const files = await localFiles(paths, options.fileType);
  const api = publishApi(url, token);

  const project_id = await projectId(api, options.project);
  const published = await publishedFile(api, files);
  if (published) {
    report(published, project_id, options);
    return;
  }

  const known = (await api.get('/v2/tag/game_version')) as KnownGameVersion[];
  const manifest = await manifestsOf(files[0]!, known);
  tellProblems(manifest);
  const fields = versionFields(options, manifest);
  const { dependencies, unknown } = await dependenciesFor(api, options, manifest);
  if (unknown.length > 0) tell(`Left out, as this Cairn does not have them: ${plain(unknown.join(', '))}.`);
  const data = {
    project_id,
    ...fields,
    changelog,
    dependencies,
    file_parts: files.map((_, index) => `file-${index}`),
    primary_file: 'file-0',
    file_types: Object.fromEntries(
      files.flatMap(({ file_type }, index) => (file_type ? [[`file-${index}`, file_type]] : [])),
    ),
  };
  if (options.dryRun) {
    const sent = files.map(({ filename, size, sha512, file_type }) => ({
      filename,
      size,
      sha512,
      file_type,
    }));
    printJson({ result: 'dry_run', data, files: sent, problems: manifest?.problems ?? [] });
    return tell('Nothing was sent.');
  }
  const version = (await api.publish(data, files, progress(files))) as PublishedVersion;
  if (options.json) return printJson({ result: 'published', version });
  console.log(version.id);
  tell(`Published ${plain(version.version_number)}: ${plain(version.files[0]?.url ?? '')}`);
}

interface PublishedVersion {
  id: string;
  project_id: string;
  version_number: string;
  files: Array<{ url: string }>;
}

/** The version that has one of the files already, as far as the token may see it. */
async function publishedFile(api: PublishApi, files: readonly LocalFile[]) {
  for (const { sha512, filename } of files) {
    const version = (await api.get(`/v2/version_file/${sha512}?algorithm=sha512`)) as PublishedVersion | null;
    if (version) return { version, filename };
  }
  return null;
}

/** A file that this project has already is no failure: a build may run twice. */
function report(
  { version, filename }: { version: PublishedVersion; filename: string },
  project_id: string,
  options: Given,
): void {
  const what = `${filename} is published already, in version ${plain(version.version_number)} (${plain(version.id)})`;
  if (version.project_id !== project_id)
    throw new ServerRefusal(400, 'file_duplicate', `${what} of another project.`);
  if (options.json) printJson({ result: 'already_published', version });
  else console.log(version.id);
  tell(`${what}. Nothing was sent.`);
}

async function projectId(api: PublishApi, project: string): Promise<string> {
  const found = (await api.get(`/v2/project/${encodeURIComponent(project)}/check`)) as { id: string } | null;
  if (!found) throw new ServerRefusal(404, 'not_found', `There is no project ${project} on this Cairn.`);
  return found.id;
}

function addressOf(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : null;
  if (!address || !/^https?:$/.test(address.protocol))
    throw new UserError(`${text} is not an address: it must begin with http:// or https://.`, 2);
  return text.replace(/\/+$/, '');
}

async function changelogOf(path: string | undefined): Promise<string> {
  if (path === undefined) return '';
  const bytes = await (path === '-' ? buffer(process.stdin) : readFile(pathOf(path))).catch(() => {
    throw new UserError(`The changelog ${path} cannot be read.`, 2);
  });
  const text = bytes.toString('utf8');
  if ([...text].length > limits.changelog)
    throw new UserError(`The changelog has more than ${limits.changelog} characters.`, 2);
  return text;
}

function tellProblems(manifest: ManifestReading | null): void {
  for (const { code, entry, field } of manifest?.problems ?? [])
    tell(`${[entry, field].filter(Boolean).join(', ') || 'The archive'}: ${manifestProblems[code]}.`);
}

/** Every quarter, as a line: logs of CI services keep every one. */
function progress(files: readonly LocalFile[]): (bytes: number) => void {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let quarter = 0;
  return (bytes) => {
    const now = Math.floor((4 * bytes) / Math.max(1, total));
    if (now === quarter) return;
    quarter = now;
    tell(`Sent ${25 * now} % of ${(total / 1024 / 1024).toFixed(1)} MB.`);
  };
}

const tell = (line: string): void => console.error(line);
const printJson = (value: object): void => console.log(JSON.stringify(value, null, 2));
