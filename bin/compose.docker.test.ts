import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from './install.mjs';
import { compose } from './testing/compose.ts';

let program: [string, ...string[]];
let all: Record<string, string> = {};
beforeAll(async () => {
  program = await compose();
  all = services();
});

const given = {
  POSTGRES_PASSWORD: 'three-flat-stones',
  SITE_POSTGRES_PASSWORD: 'two-round-stones',
  PLANE_POSTGRES_PASSWORD: 'one-tall-stone',
  SITE_URL: 'https://mods.example.org',
  TRUST_PROXY: '172.16.0.0/12',
};
/** The resolved configuration; fails on an invalid file. */
const config = (env: Record<string, string>, files = ['docker-compose.yml']) => {
  const [name, ...words] = program;
  const given = files.flatMap((file) => ['--file', join(root, file)]);
  const profiles = ['node', 'planes', 'commands'].flatMap((profile) => ['--profile', profile]);
  return spawnSync(name, [...words, ...given, ...profiles, 'config'], {
    encoding: 'utf8',
    // without the environment of the shell that runs the tests
    env: { PATH: process.env.PATH ?? '', HOME: '/', ...env },
    cwd: '/',
  });
};

/** The services as the program parsed them; its output is YAML, whose lists and maps Node cannot parse. */
function services(files?: string[]): Record<string, string> {
  const { stdout, stderr, status } = config(given, files);
  expect(status, stderr).toBe(0);
  const inside = stdout.split(/^services:\n/m)[1]!.split(/^\S/m)[0]!;
  const parts = inside.split(/^ {2}([\w-]+):\n/m).slice(1);
  return Object.fromEntries(parts.flatMap((name, at) => (at % 2 === 0 ? [[name, parts[at + 1]!]] : [])));
}

describe('docker-compose.yml', () => {
  it.each(Object.keys(given) as Array<keyof typeof given>)('does not start without %s', (name) => {
    const { [name]: _, ...rest } = given;
    expect(config(rest).status).not.toBe(0);
  });

  it('is Postgres, migration, control planes, site, commands and agent, and never seeds demo accounts', () => {
    expect(Object.keys(all).sort()).toEqual([
      ...['agent', 'cairn', 'control-plane', 'control-plane-2', 'migrate', 'postgres', 'site'],
    ]);
    for (const name of ['cairn', 'control-plane', 'control-plane-2', 'migrate', 'site'])
      expect(all[name]).toMatch(/^ +SEED: '?none'?$/m);
  });

  it('gives site and control planes roles of their own, and the owner only to what ends', () => {
    const holding = (secret: string) => Object.keys(all).filter((name) => all[name]!.includes(secret));
    expect(holding(given.POSTGRES_PASSWORD).sort()).toEqual(['cairn', 'migrate', 'postgres']);
    expect(holding(given.SITE_POSTGRES_PASSWORD).sort()).toEqual(['cairn', 'migrate', 'site']);
    const planes = ['control-plane', 'control-plane-2'];
    expect(holding(given.PLANE_POSTGRES_PASSWORD).sort()).toEqual(['cairn', ...planes, 'migrate']);
    expect(all.site).toMatch(/DATABASE_URL: '?postgres:\/\/cairn_site:/);
    for (const name of planes) expect(all[name]).toMatch(/DATABASE_URL: '?postgres:\/\/cairn_plane:/);
    for (const name of ['cairn', 'migrate']) expect(all[name]).toMatch(/restart: '?"?no/);
  });

  it('gives only the agent access to Docker, and the agent no access to the database and files of the others', () => {
    const holding = (pattern: RegExp) => Object.keys(all).filter((name) => pattern.test(all[name]!));
    expect(holding(/docker\.sock/)).toEqual(['agent']);
    expect(holding(/network_mode: host/)).toEqual(['agent']);
    expect(holding(/cap_add/)).toEqual(['agent']);
    expect(holding(/privileged: true|SYS_ADMIN/)).toEqual([]);
    expect(all.agent).not.toMatch(/DATABASE_URL|POSTGRES|files:[/]|database:[/]/);
    expect(all.agent).toMatch(/cap_add:\n +- CHOWN\n +- DAC_OVERRIDE\n +- FOWNER\n +- NET_ADMIN\n/);
  });

  it('lets no service change its code or gain privileges', () => {
    for (const name of ['cairn', 'control-plane', 'control-plane-2', 'migrate', 'site', 'agent']) {
      expect(all[name], name).toMatch(/read_only: true/);
      expect(all[name], name).toMatch(/cap_drop:\n +- ALL/);
      expect(all[name], name).toMatch(/no-new-privileges/);
    }
    for (const name of ['cairn', 'control-plane', 'control-plane-2', 'migrate', 'site', 'postgres'])
      expect(all[name], name).not.toMatch(/user:/);
  });

  it('publishes one port, on the loopback address only', () => {
    expect(Object.keys(all).filter((name) => /^ +ports:/m.test(all[name]!))).toEqual(['site']);
    expect(all.site).toMatch(/127\.0\.0\.1/);
    for (const name of ['cairn', 'control-plane', 'control-plane-2', 'migrate', 'postgres'])
      expect(all[name], name).not.toMatch(/outside/);
  });
});

describe('deploy/docker-compose.disk.yml', () => {
  it('gives the agent loop devices and the right to mount, and no disk of the machine', () => {
    const { agent, ...others } = services(['docker-compose.yml', 'deploy/docker-compose.disk.yml']);
    expect(agent).toMatch(/SYS_ADMIN/);
    expect(agent).toMatch(/device_cgroup_rules:\n +- b 7:\* rmw\n +- c 10:237 rmw\n/);
    expect(agent).toMatch(/propagation: rshared|:rshared/);
    expect(agent).not.toMatch(/privileged: true/);
    expect(agent).toMatch(/no-new-privileges/);
    for (const [name, text] of Object.entries(others))
      expect(text, name).not.toMatch(/SYS_ADMIN|SYS_RESOURCE|device_cgroup_rules|apparmor|\/dev\b/);
  });
});
