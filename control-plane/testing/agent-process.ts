import { setTimeout as wait } from 'node:timers/promises';
import type { ConsoleLine } from '../protocol/console.ts';
import { agent, powerReport, type ScriptedAgent } from './scripted-agent.ts';

/**
 * A scripted agent as a process of its own: `agent-process.ts '{urls, node_id, secret, server_id, every_ms}'`. Its server prints a
 * numbered line every `every_ms`, connected or not. It goes to the next plane when its own fails, and sends what was not
 * acknowledged again, as real agents do. Says on standard output what it did, one JSON object a line.
 */
interface Wanted {
  urls: string[];
  node_id: string;
  secret: string;
  server_id: string;
  every_ms: number;
}
const wanted = JSON.parse(process.argv[2]!) as Wanted;
const { urls, server_id } = wanted;
const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);

const lines: ConsoleLine[] = [];
const consoles: ScriptedAgent['consoles'] = new Map([[server_id, { epoch: 'one', lines }]]);
let acked = 0;
setInterval(() => {
  const seq = lines.length + 1;
  lines.push({ seq, at: 0, stream: 'out', text: `line ${seq}` });
}, wanted.every_ms);

const { node_id, secret } = wanted;
let before: Pick<ScriptedAgent, 'consoles' | 'seq' | 'stream_id'> | undefined;
for (let at = 0; ; at = (at + 1) % urls.length) {
  const connecting = agent(
    urls[at]!,
    { node_id, secret },
    before ? { [server_id]: { generation: 1, hash: '' } } : {},
    {
      consoles,
      ...before,
    },
  );
  const me = await Promise.race([connecting, wait(3_000)]).catch(() => null);
  if (!me) {
    connecting.then((late) => late.close()).catch(() => {});
    await wait(100);
    continue;
  }
  say({ connected: urls[at], lease: me.welcome.lease });
  await serve(me);
  me.close();
  before = { consoles, seq: me.seq, stream_id: me.stream_id };
  say({ lost: urls[at] });
}

/** Until the connection is lost, or nothing is answered for 4.5 s. */
async function serve(me: ScriptedAgent): Promise<void> {
  const lost = new Promise((done) => me.socket.once('disconnect', done));
  me.socket.on('spec.put', ({ restart_seq }) => say({ restart_seq }));
  const { server_id: id } = wanted;
  let told = 0;
  let beat_at = 0;
  const work = async () => {
    await me.report('server.power', id, powerReport('running', { epoch: 'one' }));
    while (me.socket.connected) {
      if (performance.now() - beat_at > 2_000) {
        beat_at = performance.now();
        await me.sendHeartbeat();
      }
      for (; told < me.commands.length; told++) say({ command: me.commands[told]!.text });
      const batch = lines.slice(acked, acked + 200);
      const from = acked + 1;
      if (batch.length > 0 && me.watched.includes(id)) {
        const answer = await me.request('console.lines', { server_id: id, epoch: 'one', from, lines: batch });
        if (answer.ok) acked = batch.at(-1)!.seq;
        else await wait(200);
      }
      await wait(5);
    }
  };
  const watching = async () => {
    for (;;) {
      await wait(1_000);
      if (performance.now() - beat_at > 6_500) return;
    }
  };
  await Promise.race([lost, work().catch(() => {}), watching()]);
}
