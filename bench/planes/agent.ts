import { LineBuffer } from '#agents/console/line-buffer.ts';
import { ConsoleSender } from '#agents/console/sender.ts';
import { agent, powerReport } from '#control/testing/scripted-agent.ts';

/** What an agent process is started with, as JSON: `agent.ts JSON`. */
export interface Wanted {
  url: string;
  node_id: string;
  secret: string;
  server_ids: string[];
}
/** What it is told: a server prints so many lines. */
export interface Print {
  server_id: string;
  count: number;
}

/**
 * An agent in a process of its own, which keeps and sends lines by the code of real ones. A server answers `say X` with the
 * line X, and prints lines with their time (`process.hrtime`, the same for all processes of a machine) when told to.
 */
const { url, server_ids, ...credentials } = JSON.parse(process.argv[2]!) as Wanted;
const epoch = 'one';
const heartbeat_ms = 2_000;
const me = await agent(url, credentials);
const servers = new Map(
  server_ids.map((server_id) => {
    const console = { buffer: new LineBuffer(), epoch };
    const send = async (batch: object) =>
      (await me.request('console.lines', { server_id, ...batch }).catch(() => null))?.ok ?? false;
    return [server_id, { console, sender: new ConsoleSender(console, send) }];
  }),
);

function print(server_id: string, text: string): void {
  const { console, sender } = servers.get(server_id)!;
  console.buffer.add({ at: Date.now(), stream: 'out', text });
  sender.onLines();
}

me.socket.on('watch', (message) => {
  for (const [id, { sender }] of servers) sender.watch(message.server_ids.includes(id));
});
me.socket.on('console.write', ({ server_id, text }) => print(server_id, text.replace(/^say /, '')));
me.socket.off('console.tail').on('console.tail', ({ server_id, before, limit }, ack) => {
  const { buffer } = servers.get(server_id)!.console;
  ack({ epoch, lines: buffer.before(before, limit), first: buffer.first });
});
for (const id of server_ids) await me.report('server.power', id, powerReport('running', { epoch }));
setInterval(() => void me.sendHeartbeat().catch(() => {}), heartbeat_ms);
process.on('message', ({ server_id, count }: Print) => {
  for (let number = 1; number <= count; number++)
    print(server_id, `${process.hrtime.bigint()} line ${number}`);
});
process.on('disconnect', () => process.exit(0));
process.send!('ready');
