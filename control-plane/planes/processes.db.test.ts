import { expect, it } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { expectComplete, goesOn } from '../testing/follower.ts';
import { planeProcesses, processes_timeout_ms } from '../testing/plane-processes.ts';

/** Two planes and two agents, each a process of its own, on one database. More that may happen to planes: `npm run soak`. */
const { follow, two } = planeProcesses(testDatabase());

it(
  'one of two planes is killed: agents and viewers go to the other within 10 s, and no line is lost or doubled',
  async () => {
    const {
      planes: [a, b],
      machines: [first, second],
    } = await two();
    const on_a = follow(first, a, b);
    const on_b = follow(first, b, a);
    const other = follow(second, a, b); // its agent is with b
    await Promise.all([on_a, on_b, other].map((one) => goesOn(one)));
    const killed_at = performance.now();
    await a.end();
    await expect.poll(() => first.agent.at(), { timeout: 10_000, interval: 20 }).toBe(b.url);
    await Promise.all([on_a, on_b, other].map((one) => goesOn(one, 20, 10_000)));
    expect((performance.now() - killed_at) / 1000).toBeLessThan(10);
    expect(await on_a.type('say after')).toEqual({ ok: true });
    await expect.poll(() => first.agent.commands()).toEqual(['say after']);
    for (const one of [on_a, on_b, other]) expectComplete(one);
    expect([on_a.url, on_b.connects]).toEqual([b.url, 1]);
  },
  processes_timeout_ms,
);
