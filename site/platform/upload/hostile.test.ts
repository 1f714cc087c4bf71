import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '#db/testing/soak.ts';
import { data, file, multipart, raw, uploadServer } from '../../testing/upload.ts';

const server = uploadServer();

/** Sends the beginning of an upload over a bare socket and waits until the server has started to store the file. */
const begin = async (announced: number, sent: number): Promise<Socket> => {
  const socket = connect(server.port, '127.0.0.1');
  const head = raw(data).subarray(0, -7);
  socket.write(
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: ${multipart['content-type']}\r\ncontent-length: ${announced}\r\n\r\n`,
  );
  socket.write(head);
  socket.write('--b\r\nContent-Disposition: form-data; name="f"; filename="m.jar"\r\n\r\n');
  socket.write(Buffer.alloc(sent));
  await expect.poll(async () => (await readdir(server.tmp)).length, { interval: 5 }).toBe(1);
  return socket;
};

test('a client that disconnects in the middle of a file leaves nothing', async () => {
  const before = server.handled;
  const socket = await begin(50_000_000, 1_000_000);
  expect(server.handled).not.toBe(before);
  socket.destroy();
  expect(await server.handled).toMatchObject({ status: 400 });
  expect(await readdir(server.tmp)).toEqual([]);
});

test('a client that stops sending is refused as too slow, one that sends at the minimum rate is not', async () => {
  server.options = { window_ms: 150 };
  server.limits = { UPLOAD_MIN_BYTES_PER_SECOND: '1000' };
  const socket = await begin(50_000_000, 1_000);
  const response = (await server.handled) as Response;
  expect(await response.clone().json()).toMatchObject({ code: 'upload_too_slow' });
  expect(await readdir(server.tmp)).toEqual([]);
  socket.destroy();
  // two windows long, each far longer than a busy machine keeps a timer waiting
  server.options = { window_ms: 400 };
  let left = 45;
  const steady = new ReadableStream({
    async pull(controller) {
      if (left === 45)
        controller.enqueue(
          Buffer.concat([
            raw(data).subarray(0, -7),
            Buffer.from('--b\r\nContent-Disposition: form-data; name="f"; filename="m.jar"\r\n\r\n'),
          ]),
        );
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (left-- > 0) controller.enqueue(Buffer.alloc(100));
      else {
        controller.enqueue(Buffer.from('\r\n--b--\r\n'));
        controller.close();
      }
    },
  });
  const slow = await fetch(server.address, {
    method: 'POST',
    body: steady,
    duplex: 'half',
    headers: multipart,
  } as never);
  expect(slow.status).toBe(200);
});

test('random bytes in a form are accepted or refused, without a crash, a hang or leftovers', async () => {
  const whole = raw(data, file('f', 'm.jar'), file('g', 'n.zip'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
      fc.nat(whole.length),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      async (flips, cut, sizes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of flips) bytes[at] = value;
        const stored = cut % 3 === 0 ? bytes.subarray(0, cut) : bytes;
        const request = new Request('http://x/', {
          method: 'POST',
          headers: multipart,
          body: chunked(stored, sizes),
          duplex: 'half',
        } as never);
        const response = await server.answer(request);
        expect([200, 400, 413]).toContain(response.status);
        expect(await readdir(server.tmp)).toEqual([]);
      },
    ),
    { numRuns: propertyRuns(200) },
  );
});

const chunked = (bytes: Buffer, sizes: number[]) => {
  let at = 0;
  let turn = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const size = sizes[turn++ % sizes.length]!;
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
};
