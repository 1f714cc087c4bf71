import { createHash } from 'node:crypto';
import type Docker from 'dockerode';
import { ensureImage } from '../images/ensure-image.ts';
import type { AgentIntervals } from '../intervals.ts';
import { type Kind, kinds } from '../plan/kinds.ts';

/** The program in test containers: a console that obeys commands. */
const program = `
const say = (text) => console.log(text);
let deaf = false;
let held = null;
process.on('SIGTERM', () => { if (!deaf) { say('terminated'); process.exit(143); } });
say('Booting');
// a status ping of an empty server, or the success of a login, for a server that may sleep
const status = Buffer.from(JSON.stringify({ players: { online: 0, max: 20 } }));
const packet = (id, text) => Buffer.concat([Buffer.from([text.length + 2, id, text.length]), text]);
const answer = (socket) => {
  let got = Buffer.alloc(0);
  socket.on('error', () => {}).on('data', (bytes) => {
    got = Buffer.concat([got, bytes]);
    const next = got[got[0]];
    if (next === 1 && got.length > got[0] + 2) socket.write(packet(0, status));
    if (next === 2 && got.length > got[0] + 2) socket.end(packet(2, Buffer.from('welcome')));
  });
};
require('node:net').createServer(process.env.STATUS ? answer : (socket) => socket.end()).listen(25565, () => {
  if (!process.env.SILENT) say('Done (0.1s)! For help, type "help"');
});
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, ...rest] = line.split(' ');
  const text = rest.join(' ');
  if (word === 'say') say('[Server] ' + text);
  else if (word === 'err') console.error(text);
  else if (word === 'spam') for (let n = 1; n <= Number(text); n++) say('spam ' + n + ' of ' + text);
  else if (word === 'long') for (let n = 1; n <= Number(text); n++) say('x'.repeat(8000));
  else if (word === 'tick') { let n = 0; setInterval(() => say('tick ' + ++n), Number(text)); }
  else if (word === 'deaf') { deaf = true; say('deaf now'); }
  else if (word === 'crash') { say('about to crash'); process.exitCode = 42; process.exit(); }
  else if (word === 'oom') { const all = []; for (;;) all.push(Buffer.alloc(8 << 20, 1)); }
  else if (word === 'oom-child') {
    const fill = 'const all = []; for (;;) all.push(Buffer.alloc(8 << 20, 1));';
    require('node:child_process').spawn(process.execPath, ['-e', fill])
      .once('exit', (code, signal) => say('the child was killed by ' + signal));
  }
  else if (word === 'hold') { held = Buffer.alloc(Number(text) << 20, 1); say('holding ' + held.length); }
  else if (word === 'fill') {
    const fs = require('node:fs');
    const [file, piece] = [fs.openSync('/data/filled', 'w'), Buffer.alloc(1 << 20, 1)];
    try { for (let n = 0; n < Number(text); n++) fs.writeSync(file, piece); say('filled ' + text); }
    catch (error) { say('not filled: ' + error.code); }
    fs.closeSync(file);
  }
  else if (word === 'listen') {
    require('node:net').createServer((socket) => socket.end('tcp')).listen(Number(text), () => {
      const udp = require('node:dgram').createSocket('udp4');
      udp.on('message', (message, from) => udp.send('udp', from.port, from.address));
      udp.bind(Number(text), () => say('listening on ' + text));
    });
  }
  else if (word === 'dial') {
    const [host, port] = text.split(' ');
    const end = (answer) => { socket.destroy(); say('dialled ' + text + ': ' + answer); };
    const socket = require('node:net').connect({ host, port: Number(port) }, () => end('connected'));
    socket.setTimeout(2000, () => end('no answer')).on('error', (error) => end(error.code));
  }
  else if (word === 'help') {
    say('--- Showing help page ' + (text || 1) + ' of 2 (/help <page>) ---');
    say(text === '2' ? '/tick <ms>' : '/say <message>');
  }
  else if (word === 'save-off') say('Automatic saving is now disabled');
  else if (word === 'save-all') say('Saved the game');
  else if (word === 'save-on') say('Automatic saving is now enabled');
  else if (word === 'clear') { require('node:fs').rmSync('/data/filled'); say('cleared'); }
  else if (word === 'stop') { if (!deaf) { say('Stopping'); process.exit(0); } }
  else if (word === 'self') {
    const fs = require('node:fs');
    const tries = (path) => { try { fs.writeFileSync(path, 'x'); return 'written'; } catch (error) { return error.code; } };
    const status = (name) => fs.readFileSync('/proc/self/status', 'utf8').split(name + ':')[1].trim().split(/[^0-9a-f]/)[0];
    say(JSON.stringify({
      memory_mb: process.constrainedMemory() >> 20, uid: process.getuid(),
      capabilities: status('CapEff'), no_new_privileges: status('NoNewPrivs'),
      root: tries('/mine'), data: tries('/data/mine'),
    }));
  }
  else say('unknown ' + line);
});
`;

/** The image of `program`, built on the base of the product's own images. */
export async function tinyServerImage(docker: Docker): Promise<string> {
  const base = await ensureImage(docker, { build: 'base' });
  const tag = createHash('sha256').update(base).update(program).digest('hex').slice(0, 16);
  const name = `cairn-agent-test:${tag}`;
  const found = await docker.listImages({ filters: { reference: [name] } });
  if (found.length > 0) return name;
  const container = await docker.createContainer({ Image: base, Cmd: ['node'] });
  const changes = `CMD ${JSON.stringify(['node', '-e', program])}`;
  await container.commit({ repo: 'cairn-agent-test', tag, changes });
  await container.remove();
  return name;
}

/** An agent of tests looks often for what it finds only by itself. */
export const shortIntervals: AgentIntervals = {
  reconcile_ms: 1_000,
  players_ms: 1_000,
  usage_ms: 1_000,
  oom_child_after_ms: 1_000,
};

/** A kind for tests: that of the demo with short timeouts. */
export const tinyServer: Kind = {
  ...kinds.local,
  env: ({ loader, sleep }): Record<string, string> => ({
    ...(loader && { SILENT: '1' }),
    ...(sleep && { STATUS: '1' }),
  }),
  stop: { ...kinds.local.stop, grace_s: 3 },
  tick: () => null,
};
