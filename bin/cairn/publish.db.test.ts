import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Version } from '#db/catalogue/versions/shape.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import { testApi } from '#site/testing/api.ts';
import { listeningApi } from '#site/testing/listening-api.ts';
import { handbookPages } from '../handbooks.ts';
import { root } from '../install.mjs';

const database = testDatabase();
const api = testApi(database, { MAX_FILE_BYTES: String(200 * 1024 * 1024) });
const server = listeningApi(api);
const folder = mkdtempSync(join(tmpdir(), 'cairn-publish-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let owner: build.BuiltUser;
let project: build.BuiltProject;
let token = '';
beforeEach(async () => {
  owner = await build.user(database.sql);
  project = await build.project(database.sql, {
    owner,
    slug: `first-stone-${randomBytes(4).toString('hex')}`,
  });
  token = await build.token(database.sql, owner);
});

interface Ended {
  code: number;
  out: string;
  errors: string;
}

/** Runs a program in the test's folder, with nothing of this process's environment. */
const run = async (program: string, args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  await new Promise((done) => {
    const all = {
      PATH: process.env.PATH,
      HOME: folder,
      PWD: folder,
      CAIRN_TOKEN: token,
      SITE_URL: server.url,
    };
    execFile(program, args, { cwd: folder, env: { ...all, ...env } }, (error, out, errors) =>
      done({ code: error ? Number(error.code) : 0, out, errors }),
    );
  });
const node = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
const publish = async (...args: string[]): Promise<Ended> =>
  await run(node, [join(root, 'bin/cairn.ts'), 'publish', '--project', project.slug, ...args]);

/** A jar of Fabric in the test's folder, with unique bytes. */
async function jar(name: string, given: object = {}, noise = 16): Promise<string> {
  const mod = {
    schemaVersion: 1,
    id: 'first-stone',
    name: 'First stone',
    version: '1.2.0-beta.1',
    depends: { minecraft: '~1.20.1', fabricloader: '*' },
    ...given,
  };
  const entries = { 'fabric.mod.json': JSON.stringify(mod), noise: randomBytes(noise) };
  writeFileSync(join(folder, name), await zipOf(entries, { store: noise > 1024 }));
  return name;
}

test('publishes what the manifest says, with its dependencies, and knows the file the next time', async () => {
  const library = await build.project(database.sql, { slug: 'stone-library' });
  const depends = { minecraft: '~1.20.1', 'stone-library': '*', 'nobody-has-this': '*' };
  const file = await jar('a.jar', { depends, jars: [{ file: 'META-INF/jars/wick-1.jar' }] });
  writeFileSync(join(folder, 'CHANGES.md'), '- More *stone*.\n');
  const first = await publish(file, '--changelog', 'CHANGES.md');
  expect(first).toMatchObject({ code: 0, errors: expect.stringContaining('nobody-has-this') });
  const id = first.out.trim();
  const answer = await api.call('GET', `/v2/version/${id}`, { token });
  const version = (await answer.json()) as Version;
  expect(version).toMatchObject({
    project_id: project.id,
    name: 'First stone 1.2.0-beta.1',
    version_number: '1.2.0-beta.1',
    version_type: 'beta',
    loaders: ['fabric'],
    game_versions: expect.arrayContaining(['1.20.1', '1.20.4']),
    changelog: '- More *stone*.\n',
    dependencies: [{ project_id: library.id, dependency_type: 'required' }],
    files: [{ filename: 'a.jar', primary: true }],
  });
  const again = await publish(file, '--json');
  expect(again).toMatchObject({ code: 0, errors: expect.stringContaining('published already') });
  expect(JSON.parse(again.out)).toMatchObject({ result: 'already_published', version: { id } });
});

test('every option wins over the manifest; further files have their types', async () => {
  const other = await build.project(database.sql, { slug: 'other-stone' });
  const names = [await jar('b.jar'), await jar('b-sources.jar'), await jar('b-extra.jar')];
  const ended = await publish(
    ...names,
    ...['--number', '9', '--name', 'Nine', '--channel', 'alpha', '--loader', 'quilt,fabric'],
    ...['--game-version', '1.20.4', '--dependency', 'optional:other-stone', '--environment', 'client_only'],
    ...['--status', 'draft', '--featured', '--file-type', 'b-extra.jar=dev-jar', '--json'],
  );
  expect(ended.code, ended.errors).toBe(0);
  expect(JSON.parse(ended.out)).toMatchObject({
    result: 'published',
    version: {
      version_number: '9',
      name: 'Nine',
      version_type: 'alpha',
      loaders: expect.arrayContaining(['quilt', 'fabric']),
      game_versions: ['1.20.4'],
      environment: 'client_only',
      status: 'draft',
      featured: true,
      dependencies: [expect.objectContaining({ project_id: other.id, dependency_type: 'optional' })],
      files: expect.arrayContaining([
        expect.objectContaining({ filename: 'b.jar', primary: true, file_type: null }),
        expect.objectContaining({ filename: 'b-sources.jar', file_type: 'sources-jar' }),
        expect.objectContaining({ filename: 'b-extra.jar', file_type: 'dev-jar' }),
      ]),
    },
  });
});

test('a dry run sends nothing', async () => {
  const ended = await publish(
    await jar('c.jar', { version: `$${'{version}'}` }),
    '--number',
    '3',
    '--dry-run',
  );
  expect(ended.code, ended.errors).toBe(0);
  expect(ended.errors).toContain('placeholder');
  expect(JSON.parse(ended.out)).toMatchObject({
    result: 'dry_run',
    data: { project_id: project.id, version_number: '3', version_type: 'release', loaders: ['fabric'] },
    files: [{ filename: 'c.jar' }],
    problems: [{ code: 'placeholder', entry: 'fabric.mod.json', field: 'version' }],
  });
  const [row] =
    await database.sql`select count(*)::int as versions from versions where project_id = ${project.id}`;
  expect(row).toEqual({ versions: 0 });
});

test('the file is not loaded into memory', async () => {
  // the peak of this process alone; the resource usage would include that of the process that forked it
  const told =
    "import fs from 'node:fs'; process.on('exit', () => console.error(fs.readFileSync('/proc/self/status', 'utf8')))";
  const memoryOf = async (name: string): Promise<number> => {
    const preload = `data:text/javascript,${encodeURIComponent(told)}`;
    const args = [
      '--import',
      preload,
      join(root, 'bin/cairn.ts'),
      'publish',
      '--project',
      project.slug,
      name,
    ];
    const ended = await run(node, [...args, '--number', name.replace('.jar', '')]);
    expect(ended.code, ended.errors).toBe(0);
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(ended.errors)?.[1]);
  };
  const small = await memoryOf(await jar('small.jar'));
  const large = await memoryOf(await jar('large.jar', {}, 128 * 1024 * 1024));
  // MiB; chunks that were sent wait for the garbage collector, on a busy machine some dozens of them
  expect((large - small) / 1024).toBeLessThan(90);
});

describe('ends with 1 when it is refused:', () => {
  test('the text of the server, and JSON', async () => {
    token = await build.token(database.sql, await build.user(database.sql));
    const ended = await publish(await jar('d.jar'), '--json');
    expect(ended).toMatchObject({ code: 1 });
    const { result, error, description } = JSON.parse(ended.out);
    expect({ result, error }).toEqual({ result: 'refused', error: 'unauthorized' });
    expect(ended.errors.trim().split('\n').at(-1)).toBe(description);
  });

  test('a file of another project, before a byte is sent', async () => {
    const file = await jar('e.jar');
    expect((await publish(file)).code).toBe(0);
    project = await build.project(database.sql, { owner });
    const ended = await publish(file);
    expect(ended).toMatchObject({ code: 1, errors: expect.stringContaining('another project') });
    expect(ended.errors).not.toContain('Sent');
  });

  test.each<[string, string, Buffer | string]>([
    ['no archive', 'f.jar', 'not an archive'],
    ['a name with a direction mark', 'f\u202Ezip.jar', 'x'],
    ['another type', 'f.exe', 'x'],
  ])('%s', async (_, name, content) => {
    writeFileSync(join(folder, name), content);
    expect(await publish(name, '--dry-run')).toMatchObject({ code: 1, out: '' });
  });

  test('a project that is not there', async () => {
    project = { ...project, slug: 'nobody' };
    expect((await publish(await jar('g.jar'))).code).toBe(1);
  });
});

describe('ends with 2 on wrong use:', () => {
  test.each<[string, string[]]>([
    ['no file', []],
    ['a file that is not there', ['nothing.jar']],
    ['an unknown option', ['a.jar', '--nothing']],
    ['an unknown channel', ['a.jar', '--channel', 'gamma']],
    ['no address', ['h.jar', '--url', 'ftp://x']],
    ['a changelog that is not there', ['h.jar', '--changelog', 'nothing.md']],
    ['a type of no file', ['h.jar', '--file-type', 'x.jar=dev-jar']],
    ['a dependency of no kind', ['h.jar', '--dependency', 'x']],
  ])('%s', async (_, args) => {
    await jar('h.jar');
    expect(await publish(...args)).toMatchObject({ code: 2, out: '', errors: expect.stringMatching(/\S/) });
  });

  test('no token', async () => {
    token = '';
    expect(await publish(await jar('h.jar'))).toMatchObject({
      code: 2,
      errors: 'No token: set CAIRN_TOKEN.\n',
    });
  });

  test.each([
    ['--number', '1.0~beta', 'version_number .* not “~”'],
    ['--number', '1'.repeat(33), 'version_number must have 1 to 32 characters'],
    ['--name', '\u200b\u200b', 'name must not be blank'],
    ['--name', 'n'.repeat(65), 'name must have 1 to 64 characters'],
    ['--environment', 'moon', 'environment .*'],
  ])('%s %s is refused in words before anything is sent', async (option, value, problem) => {
    const ended = await publish(await jar('odd.jar'), option, value, '--dry-run');
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.errors).toMatch(new RegExp(`This cannot be published: ${problem}`));
    expect(ended.errors).not.toContain('/^');
  });

  test('a manifest that says too little names the options', async () => {
    const file = await jar('i.jar', { version: undefined, depends: {} });
    expect(await publish(file)).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/--number, --game-version/),
    });
  });
});

describe('ends with 3 without a Cairn:', () => {
  let strange = '';
  const other = createServer((request, response) => {
    if (request.url?.startsWith('/moved')) response.writeHead(301, { location: 'https://x.test/' });
    else response.write('<html>\u001b[2J');
    response.end();
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    strange = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  });
  afterAll(() => other.close());

  test.each([
    ['nobody listens', () => 'http://127.0.0.1:9'],
    ['a site of another kind', () => strange],
    ['a redirect', () => `${strange}/moved`],
  ])('%s', async (_, url) => {
    const ended = await publish(await jar('j.jar'), '--url', url());
    expect(ended).toMatchObject({ code: 3, out: '' });
    expect(ended.errors).not.toContain('\u001b');
  });
});

describe('the example of the handbook', () => {
  const page = handbookPages().find(({ path }) => path.endsWith('creators/ci.md'))!;
  const workflow = parse(
    /```yaml\n([\s\S]*?)```/.exec(page.body)![1]!.replaceAll('{{SITE_URL}}', 'SITE'),
  ) as {
    jobs: { publish: { env: Record<string, string>; steps: Array<{ run?: string }> } };
  };
  const { env, steps } = workflow.jobs.publish;
  const lines = steps.flatMap(({ run: line }) => line ?? []);

  test('publishes, line by line', async () => {
    project = await build.project(database.sql, { owner, slug: 'first-stone' });
    mkdirSync(join(folder, 'build/libs'), { recursive: true });
    await jar('build/libs/first-stone-1.0.1.jar', { version: '1.0.1' });
    writeFileSync(join(folder, 'gradlew'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(folder, 'CHANGES.md'), 'One.');
    expect(Object.keys(env)).toEqual(['CAIRN_TOKEN', 'CAIRN_SOURCE', 'SITE_URL']);
    expect(lines).toHaveLength(4);
    const runner = join(folder, 'runner');
    mkdirSync(runner);
    let last = '';
    for (const line of lines) {
      // a clone would install all packages: this checkout, which has them, stands in for it
      const clones = line.startsWith('git clone');
      if (clones) symlinkSync(root, join(runner, 'cairn'));
      const text = clones ? `test -n "$CAIRN_SOURCE" && test -f "$RUNNER_TEMP/cairn/bin/cairn.mjs"` : line;
      const given = { RUNNER_TEMP: runner, CAIRN_SOURCE: 'file:///somewhere' };
      const ended = await run('bash', ['--norc', '-euo', 'pipefail', '-c', text], given);
      expect(ended, ended.errors).toMatchObject({ code: 0 });
      last = ended.out.trim();
    }
    const { version } = JSON.parse(readFileSync(join(folder, 'published.json'), 'utf8'));
    expect(version).toMatchObject({ id: last, version_number: '1.0.1', changelog: 'One.' });
  });
});
