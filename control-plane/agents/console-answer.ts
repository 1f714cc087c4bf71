import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from '#db/platform/errors.ts';
import { tail_lines } from '../agent-links/connection.ts';
import type { PlaneContext } from '../context.ts';
import { askAgent } from './connection-of.ts';

/** How long an answer is waited for and how often it is looked for: panels wait 10 s for all of it. */
const answer_ms = 4_000;
const look_ms = 60;

type Context = Parameters<typeof askAgent>[0] & Pick<PlaneContext, 'now'>;

/**
 * Writes a command to the console of a server, at most once, and gives what `read` makes of the first line after it that is an
 * answer; null when none comes. The command is seen on the console like any other. Refuses `server_not_running`,
 * `command_not_delivered` and as `askAgent`.
 */
export async function answerOfConsole<T>(
  context: Context,
  { id, node_id }: { id: string; node_id: string | null },
  text: string,
  read: (line: string) => T | null,
): Promise<T | null> {
  const before = await askAgent(context, node_id, (agent) => agent.tail(id, null, 1));
  const after = before?.lines.at(-1)?.seq ?? 0;
  const written = await askAgent(context, node_id, (agent) => agent.writeCommand(id, text));
  if (!written.delivered)
    throw new Refused(written.why === 'not_running' ? 'server_not_running' : 'command_not_delivered');
  const until = performance.now() + answer_ms;
  for (;;) {
    const tail = await askAgent(context, node_id, (agent) => agent.tail(id, null, tail_lines));
    const lines = tail?.lines.filter(({ seq }) => seq > after || tail.epoch !== before?.epoch) ?? [];
    const at = lines.findLastIndex((line) => line.stream === 'in' && line.text === text);
    for (const line of at < 0 ? [] : lines.slice(at + 1)) {
      const found = line.stream === 'out' || line.stream === 'err' ? read(line.text) : null;
      if (found !== null) return found;
    }
    if (performance.now() > until) return null;
    await sleep(look_ms);
  }
}
