import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * What goes wrong with the next payment: `500_before` nothing happens, `500_after` the money is taken, `hang` nothing
 * happens and no answer comes, `hang_after` the money is taken and no answer comes, `vanish` the same, and the server is
 * down from then on, `garbage` the money is taken and the answer is no JSON.
 */
type Fault = '500_before' | '500_after' | 'hang' | 'hang_after' | 'vanish' | 'garbage';

/** What a simulated provider answers. */
export interface Told {
  status: number;
  /** JSON, or a text as it is. */
  body: object | string | null;
}

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface FaultyServer {
  address: string;
  /** Of the next payments, one each. */
  faults: Fault[];
  /** Whether every request is answered with 503. */
  down: boolean;
  /** Requests so far, such as `POST /v1/payments/payouts`. */
  asked: string[];
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1 that answers with `decide`, and with faults where a request `pays`. */
export async function faultyServer(
  pays: (asked: Asked) => boolean,
  decide: (asked: Asked) => Told,
): Promise<FaultyServer> {
  const simulator: FaultyServer = { address: '', faults: [], down: false, asked: [], close: async () => {} };
  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url!, 'http://simulator');
    const { method = '', headers } = request;
    const asked = { method, path, query, headers, body: await text(request) };
    simulator.asked.push(`${method} ${path}`);
    const answer = ({ status, body }: Told) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : body === null ? '' : JSON.stringify(body));
    };
    const trouble: Told = { status: 503, body: { name: 'INTERNAL_SERVICE_ERROR' } };
    if (simulator.down) return answer(trouble);
    const fault = pays(asked) ? simulator.faults.shift() : undefined;
    if (fault === 'hang') return;
    if (fault === '500_before') return answer({ ...trouble, status: 500 });
    const told = decide(asked);
    simulator.down ||= fault === 'vanish';
    if (fault === 'hang_after' || fault === 'vanish') return;
    if (fault === '500_after') return answer({ ...trouble, status: 500 });
    answer(fault === 'garbage' ? { status: told.status, body: '<html>' } : told);
  });
  simulator.close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  simulator.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return simulator;
}
