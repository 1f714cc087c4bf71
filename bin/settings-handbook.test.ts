import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTest } from './architecture/contents.ts';
import { projectSources } from './architecture/source-tree.ts';
import { root } from './install.mjs';
import { allSettings, writtenPages } from './settings-handbook.ts';

const tree = projectSources();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const known = (name: string): boolean => Object.hasOwn(allSettings, name);

describe('the handbook', () => {
  it.each([...writtenPages()])('has the settings of their table in %s', (path, text) => {
    expect(read(path), 'run: node bin/settings-handbook.ts').toBe(text);
  });

  it('shows every setting in a table', () => {
    const shown = [...writtenPages().values()].join('\n');
    expect(Object.keys(allSettings).filter((name) => !shown.includes(`\n| \`${name}\` |`))).toEqual([]);
  });

  it('alone loads what settings mean', () => {
    const sentences = ['db/platform/runtime/settings/sentences.ts', 'agents/setting-sentences.ts'];
    const loading = tree.paths.filter((path) => tree.imports(path).some(({ to }) => sentences.includes(to)));
    expect(loading).toEqual(['bin/settings-handbook.ts']);
  });
});

/** Variables of Node, of the system, of other programs and of the commands that build, test and publish. */
const others = new Set(
  'NODE_ENV NODE_COMPILE_CACHE PSEUDO_LOCALES PATH PWD INIT_CWD TMPDIR DOCKER_HOST CHROMIUM COMMIT CAIRN_TOKEN TEST_BEGAN_MS E2E_PORT E2E_DATA'.split(
    ' ',
  ),
);

describe('the table of settings', () => {
  it('has every variable that the product reads', () => {
    const product = tree.paths.filter(
      (path) =>
        /^(agents|bin|content|control-plane|db|site)\//.test(path) &&
        // the demo server has the variables of its image
        !/\/testing\/|^agents\/local-kind\//.test(path) &&
        !isTest(path),
    );
    const unknown = product.flatMap((path) =>
      namesRead(tree.code(path))
        .filter((name) => !known(name) && !others.has(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
    expect(namesRead("process.env.A_B; env['C_D']; const { E_F: g, H_I } = process.env;")).toEqual([
      ...['A_B', 'C_D', 'E_F', 'H_I'],
    ]);
  });

  it('has every variable that files for operators set', () => {
    const files = ['docker-compose.yml', 'Dockerfile', ...globSync('deploy/**/*.*', { cwd: root })];
    const unknown = files.flatMap((path) =>
      namesSet(read(path))
        .filter((name) => !known(name) && !ofFiles.has(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
    expect(namesSet(read('docker-compose.yml'))).toEqual(
      expect.arrayContaining(['SITE_URL', 'SMTP_URL', 'LOG_LEVEL']),
    );
    expect(namesSet(read('Dockerfile'))).toEqual(expect.arrayContaining(['HOST', 'DATA_DIR']));
  });
});

/** Names of the environment that code reads. */
function namesRead(code: string): string[] {
  const one = /(?<!import\.meta\.)\benv(?:\.|\[')([A-Z][A-Z0-9_]+)(?!\w)|\.env\('([A-Z][A-Z0-9_]+)'\)/g;
  const several = /\{([^{}]*)\}\s*=\s*(?:process\.)?env\b/g;
  return [
    ...[...code.matchAll(one)].map(([, name, given]) => (name ?? given)!),
    ...[...code.matchAll(several)].flatMap(([, names = '']) => names.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []),
  ];
}

/** What Compose, the image of Postgres and Node ask for. */
const ofFiles = new Set(
  'CAIRN_IMAGE POSTGRES_USER POSTGRES_DB POSTGRES_PASSWORD SITE_POSTGRES_PASSWORD PLANE_POSTGRES_PASSWORD NODE_ENV NODE_COMPILE_CACHE BASE COMMIT'.split(
    ' ',
  ),
);

/** Names that a file of Compose or of Docker sets or asks for. */
function namesSet(text: string): string[] {
  return [
    ...[...text.matchAll(/\$\{([A-Z][A-Z0-9_]+)/g)].map(([, name]) => name!),
    ...[...text.matchAll(/^ +([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name!),
    ...[...text.matchAll(/^ENV (.*)$/gm)].flatMap(([, set = '']) =>
      [...set.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=/g)].map(([, name]) => name!),
    ),
  ];
}
