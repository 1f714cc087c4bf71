/** A part of `npm run soak`: some test files, what they need and how long they may take. */
export interface SoakPart {
  name: string;
  about: string;
  /** On two cores; what takes longer is ended and has failed. */
  minutes: number;
  /** Null: every test file that states properties. */
  files: readonly string[] | null;
  docker?: true;
  /** What `--operations` is the number of; a part without it always has one size. */
  counts?: { what: string; usual: number; as?: 'SOAK_TIMES' };
}

const chaos = (name: string) => [`bin/testing/chaos/${name}.soak.test.ts`];

/** In the order in which they run: short ones first. */
export const soakParts: readonly SoakPart[] = [
  {
    name: 'publishes',
    about: '200 publishes over 12 kills of the API: what it acknowledged is complete',
    minutes: 5,
    files: ['site/api/v2/kill.soak.test.ts'],
    counts: { what: 'publishes', usual: 200 },
  },
  {
    name: 'planes',
    about: 'control planes that stop, lose Postgres, or have a wrong clock',
    minutes: 15,
    files: [
      'control-plane/planes/processes.soak.test.ts',
      'control-plane/planes/postgres-restart.soak.test.ts',
    ],
  },
  {
    name: 'uploads',
    about: '300 MiB over a slow line and through a crash',
    minutes: 10,
    files: ['bin/interrupted-upload.soak.test.ts'],
  },
  {
    name: 'versions',
    about: 'each version of the demo server, joined by a real player',
    minutes: 10,
    files: ['agents/local-kind/versions.soak.test.ts'],
    docker: true,
  },
  {
    name: 'image',
    about: 'the image of production, built from the Dockerfile and started',
    minutes: 20,
    files: ['bin/production.soak.test.ts'],
    docker: true,
  },
  {
    name: 'properties',
    about: 'every property with 20 times as many inputs',
    minutes: 60,
    files: null,
    counts: { what: 'times as many inputs', usual: 20, as: 'SOAK_TIMES' },
  },
  {
    name: 'fuzz',
    about: '20,000 generated requests to both APIs',
    minutes: 30,
    files: ['site/testing/fuzz/fuzz.soak.test.ts'],
    counts: { what: 'requests', usual: 20_000 },
  },
  {
    name: 'power',
    about: '100 requests to a server while agent, engine and one or two control planes are killed',
    minutes: 40,
    files: chaos('power'),
    docker: true,
    counts: { what: 'requests', usual: 100 },
  },
  {
    name: 'sleep',
    about: '24 rounds of servers that sleep, are woken, and whose agent and control plane are killed',
    minutes: 40,
    files: chaos('sleep'),
    docker: true,
    counts: { what: 'rounds', usual: 24 },
  },
  {
    name: 'moves',
    about: '50 moves between two nodes while agents, engine and control plane are killed',
    minutes: 60,
    files: chaos('moves'),
    docker: true,
    counts: { what: 'moves', usual: 50 },
  },
  {
    name: 'backups',
    about:
      '100 backups, restores, verifications and deletions while agent, engine and control plane are killed',
    minutes: 60,
    files: chaos('backups'),
    docker: true,
    counts: { what: 'operations', usual: 100 },
  },
  {
    name: 'year',
    about: 'a year of business of 1,000 people under 50 kills',
    minutes: 120,
    files: ['bin/testing/money/year.soak.test.ts'],
    counts: { what: 'days', usual: 365 },
  },
];
