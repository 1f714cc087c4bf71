import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueTicket } from '#db/servers/tickets.ts';
import { actorFor } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { Operation } from './protocol/agent.ts';
import { closeClients } from './testing/clients.ts';
import { rentServer, startControlPlane, type TestControlPlane } from './testing/plane.ts';

const database = testDatabase();
let planes: TestControlPlane[] = [];
beforeAll(async () => {
  planes = await Promise.all([startControlPlane(database.sql), startControlPlane(database.sql)]);
});
afterAll(async () => {
  closeClients();
  await Promise.all(planes.map((plane) => plane.close()));
});

/** Rounds: which plane is first is left to chance. */
const rounds = 20;

/** The agent sends its archive to the plane that waits for it. */
async function send({ args }: Operation, body: string): Promise<void> {
  for (const { url } of planes) if ((await fetch(`${url}${args.put}`, { method: 'PUT', body })).ok) return;
  throw new Error('No plane waits for the archive.');
}

it('a download ticket that is used on two planes at the same moment works once', async () => {
  const { runner, owner, id } = await rentServer(database.sql, planes[0]!.url);
  const asked: Operation[] = [];
  runner.answerOperation = (operation) => {
    asked.push(operation);
    return { status: 'accepted' };
  };
  for (let round = 1; round <= rounds; round++) {
    const ticket = await issueTicket(database.sql, actorFor(owner), id, new Date());
    // one behind the other on each plane, too
    const got = [...planes, ...planes].map(({ url }) => fetch(`${url}/transfers?ticket=${ticket}`));
    await expect.poll(() => asked.length).toBe(round);
    await send(asked.at(-1)!, `archive ${round}`);
    const answers = await Promise.all(got.map(async (one) => [(await one).status, await (await one).text()]));
    const refused = [404, expect.stringContaining('"ticket_invalid"')];
    expect(answers.sort()).toEqual([[200, `archive ${round}`], refused, refused, refused]);
  }
  expect(asked).toHaveLength(rounds);
});
