import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isTest } from './bin/architecture/contents.ts';
import { projectSources } from './bin/architecture/source-tree.ts';

interface Call {
  pattern: RegExp;
  /** Files that may, and why that is safe. */
  allowed?: Record<string, string>;
}

/** Calls that are safe in few places only: whoever adds one says here why it is. */
const calls: Record<string, Call> = {
  'text that is run as code': { pattern: /(?<![\w.])eval\(|new Function\(|['"]node:vm['"]/ },
  'a command that a shell reads': {
    pattern: /(?<!\w)shell: true|\b(?:exec|execSync)\b[^;\n]*from 'node:child_process'|(?<![\w/])'sh', ?'-c'/,
    allowed: {
      'agents/backups/pipeline.ts': 'every word of the programs is quoted',
      'agents/disk/image.ts': 'a fixed text; the path is an argument of it',
      'agents/docker/firewall.ts': 'a fixed text; the rules are an argument of it',
    },
  },
  'objects read from bytes': {
    pattern: /(?<!\w)deserialize\(/,
    allowed: {
      'site/platform/http/page-cache/disk-tier.ts':
        'pages that this process wrote itself, in its private folder',
    },
  },
  'a connection whose certificate is not checked': {
    pattern: /rejectUnauthorized: false|NODE_TLS_REJECT_UNAUTHORIZED/,
    allowed: {
      'db/platform/postgres/dedicated-client.ts': 'sslmode=require, which asks for encryption only',
    },
  },
  'a cipher': {
    pattern: /\bcreate(?:C|Dec)ipheriv\('(?!aes-256-gcm')/,
  },
  'a hash that collides': {
    pattern: /createHash\('(?:md5|sha1)'\)/,
    allowed: {
      'agents/local-kind/players.ts': 'the game names players without an account so',
      'db/hosting/servers/players/profile.ts': 'the game names players without an account so',
      'db/platform/files/pictures.ts':
        'a name below the project of who uploads; the public API has it in addresses',
      'db/moderation/scanner/scan-archive.ts':
        'to find files that are listed by it; what is stored is told apart by SHA-512',
      'db/catalogue/uploads/read.ts': 'the public API gives it beside SHA-512',
      'db/catalogue/uploads/running-hashes.ts': 'the public API gives it beside SHA-512',
      'site/platform/upload/upload.ts': 'the public API gives it beside SHA-512',
    },
  },
  'a number that can be guessed': {
    pattern: /Math\.random/,
    allowed: {
      'agents/session/client.ts': 'pauses, and which address is tried first',
      'bin/port-block.ts': 'ports of test runs',
      'db/platform/runtime/backoff.ts': 'pauses',
      'db/hosting/servers/backups/daily.ts': 'when a backup is due',
      'db/hosting/servers/backups/schedule.ts': 'when a backup is due',
      'site/platform/http/control-planes.ts': 'which control plane is tried first',
      'site/platform/http/page-cache/disk-tier.ts': 'the name of a file in a private folder',
      'site/discovery/search/scripts/history.ts': 'the number of a step in the history of a tab',
    },
  },
};

const tree = projectSources();
const product = tree.paths.filter(
  (path) => !isTest(path) && !/\/testing\/|^(?:bench|e2e|db\/demo)\//.test(path),
);

test.each(Object.entries(calls))('%s is only where a reason says so', (_what, { pattern, allowed = {} }) => {
  const found = product.filter((path) => pattern.test(tree.code(path)));
  expect(found.sort()).toEqual(Object.keys(allowed).sort());
});

test('every package of others has an exact version, and a hash that its installation is compared with', () => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
  const { dependencies, devDependencies } = read('package.json') as Record<string, Record<string, string>>;
  const versions = Object.entries({ ...dependencies, ...devDependencies });
  expect(
    versions.filter(([, version]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)),
  ).toEqual([]);
  const { packages } = read('package-lock.json') as { packages: Record<string, { integrity?: string }> };
  const without = Object.entries(packages).filter(
    ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
  );
  expect(without.map(([path]) => path)).toEqual([]);
});
