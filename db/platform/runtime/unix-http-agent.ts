import { Agent } from 'node:http';
import { connect } from 'node:net';

/** An agent of `node:http` that opens a unix socket for every address, for clients that know only URLs. */
export function unixHttpAgent(path: string): Agent {
  const agent = new Agent();
  (agent as unknown as { createConnection: () => unknown }).createConnection = () => connect(path);
  return agent;
}
