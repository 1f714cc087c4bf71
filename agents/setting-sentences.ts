import type { agentVariables } from './settings.ts';

/** What each variable of an agent means, for the operators’ handbook (`bin/settings-handbook.ts`). No agent loads this file. */
export const agentSentences: Record<keyof typeof agentVariables, string> = {
  CAIRN_AGENT_URL:
    'address of Cairn, or `unix:/path/to/socket`; same as `--url`. Several have commas between: when one fails, the agent tries the next',
  CAIRN_AGENT_JOIN: 'join token, needed once; same as `--join`',
  CAIRN_AGENT_DATA:
    'state, secret and files of servers; same as `--data`. Docker must see it under the same path',
  CAIRN_AGENT_DISK: 'how disk limits work: `auto` or `measured`',
  CAIRN_AGENT_S3_URL:
    'a store for backups with the target `s3`: `https://host[:port]/bucket[/prefix]`. Nodes with the same address find each other’s [backups](/docs/operators/backups)',
  CAIRN_AGENT_S3_KEY: 'ID of the key for that store',
  CAIRN_AGENT_S3_SECRET: 'its secret',
  CAIRN_AGENT_S3_REGION: 'region of that store',
  CAIRN_AGENT_TRANSFER_PORT:
    'a port at which the agent gives and takes files itself (below). Without it they pass through Cairn',
  CAIRN_AGENT_TRANSFER_HOST: 'where that port listens; `0.0.0.0` is every address',
  CAIRN_AGENT_TRANSFER_URL:
    'its origin, as browsers reach it: `https://node1.example.org`; needed with the port',
  CAIRN_AGENT_ALLOW_PRIVATE:
    '`1` starts servers although the agent can’t keep them from private networks. `npm start` sets it while only this machine reaches Cairn',
  CAIRN_AGENT_ALLOW_PLAIN: '`1` allows `http://` to another machine, in a network that you trust',
};
