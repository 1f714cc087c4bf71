import { Encoder, type Packet, PacketType } from 'socket.io-parser';
import { expect, it } from 'vitest';
import { boundedParser } from './bounded-parser.ts';

const received = (messages: unknown[]): unknown[] => {
  const decoder = new boundedParser.Decoder();
  const packets: unknown[] = [];
  decoder.on('decoded', ({ data }: Packet) => packets.push(data));
  for (const message of messages) decoder.add(message);
  return packets;
};

it('reads messages as the usual parser does, with bytes beside them', () => {
  const data = ['files.query', { path: 'a{[', parts: [Buffer.from('lantern')] }];
  const sent = new Encoder().encode({ type: PacketType.EVENT, nsp: '/server', data });
  expect(received(sent)).toEqual([data]);
});

it('refuses a message of a million brackets before others wait for it', () => {
  const began = process.threadCpuUsage();
  const nested = `2/server,["a",${'['.repeat(499_000)}${']'.repeat(499_000)}]`;
  expect(() => received([nested])).toThrow('a message has more than 64 levels');
  expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(50);
});
