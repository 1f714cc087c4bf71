import { pino } from 'pino';
import { startAgent } from '../agent.ts';
import { agentSettings } from '../settings.ts';
import { shortIntervals, tinyServer } from './tiny-server.ts';

/** An agent of `tinyServer` as a process of its own, so that it can be killed: `agent.ts URL DATA IMAGE [TOKEN]`. */
const [, , url = '', data = '', image = '', join = 'join-me'] = process.argv;
startAgent({
  settings: agentSettings(
    { url, join, data },
    { CAIRN_AGENT_DISK: 'measured', CAIRN_AGENT_ALLOW_PRIVATE: '1', ...process.env },
  ),
  log: pino({ level: process.env.AGENT_LOG ?? 'silent' }),
  onRejected: () => process.exit(2),
  intervals: shortIntervals,
  kindOf: () => tinyServer,
  ensureImage: async () => image,
});
process.once('disconnect', () => process.exit());
