import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import dns, { type Answer } from 'dns-packet';

/** A name server on loopback that answers from a list. */
export interface DnsServer {
  /** For DNS_SERVERS. */
  address: string;
  /** What it knows now; a name with records of another type has nothing, any other does not exist. */
  answers: Answer[];
  /** Questions so far, such as `SRV _minecraft._tcp.play.example.org`. */
  asked: string[];
  /** It says nothing while this is set. */
  silent: boolean;
  close(): Promise<void>;
}

/** Starts one, by UDP on `port`. */
export async function dnsServer(port = 0): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const server: DnsServer = {
    ...{ address: '', answers: [], asked: [], silent: false },
    close: () => new Promise((done) => socket.close(() => done())),
  };
  socket.on('message', (message, from) => {
    const { id, questions = [] } = dns.decode(message);
    const [question] = questions;
    if (!question || server.silent) return;
    const name = question.name.toLowerCase();
    server.asked.push(`${question.type} ${name}`);
    const named = server.answers.filter((one) => one.name === name);
    // an alias answers for every type
    const answers = named.filter(({ type }) => type === question.type || type === 'CNAME');
    const nxdomain = 3;
    const flags = dns.RECURSION_DESIRED | dns.RECURSION_AVAILABLE | (named.length > 0 ? 0 : nxdomain);
    const reply = dns.encode({ type: 'response', id, flags, questions: [question], answers });
    socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((done) => socket.bind(port, '127.0.0.1', done));
  server.address = `127.0.0.1:${(socket.address() as AddressInfo).port}`;
  return server;
}

/** The record that leads clients of the game to `port` of `target`. */
export const srvRecord = (domain: string, port: number, target: string): Answer => ({
  ...{ type: 'SRV', name: `_minecraft._tcp.${domain}`, ttl: 5 },
  data: { priority: 0, weight: 5, port, target },
});
