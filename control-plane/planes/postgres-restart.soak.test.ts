import { it } from 'vitest';
import { postgresRestart } from '../testing/postgres-restart.ts';

const restarted = postgresRestart();

// lines of eight seconds, longer than any plane may be silent
it.each([
  { how: 'stopped, for longer than a plane may be silent', signal: null, away_ms: 8_000 },
  { how: 'killed', signal: 'SIGKILL' as const, away_ms: 2_500 },
])(
  'two planes whose Postgres is $how do nothing twice, lose no line and go on',
  async ({ signal, away_ms }) => {
    await restarted({ signal, away_ms, lines_after: 400 });
  },
  180_000,
);
