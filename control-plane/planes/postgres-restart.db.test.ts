import { it } from 'vitest';
import { postgresRestart } from '../testing/postgres-restart.ts';

const restarted = postgresRestart();

/** `npm run soak`: for longer than a plane may be silent, also before it went away and after it is back. */
it('two planes whose Postgres is killed do nothing twice, lose no line and go on', async () => {
  await restarted({ signal: 'SIGKILL', away_ms: 2_500, lines_after: 20 });
}, 180_000);
