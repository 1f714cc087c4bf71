import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PlaneView } from '#db/hosting/planes/view.ts';
import { recordPlane } from '#db/hosting/planes/write.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { testDatabase } from '#db/testing/database.ts';
import { membersOf, planeFindings } from './doctor-planes.ts';

const database = testDatabase();
const plane = (given: Partial<PlaneView> = {}): PlaneView => ({
  ...{ id: 'a', host: 'stone-1', address: 'http://10.0.0.5:4322', release: '1.0.0' },
  ...{ protocol: { min: 1, max: 2 }, alive: true, agents: 3, leases: 3, viewers: 7 },
  started: '2026-01-01T00:00:00Z',
  ...given,
});
const other = (given: Partial<PlaneView> = {}) =>
  plane({ id: 'b', host: 'stone-2', address: 'http://10.0.0.6:4322', ...given });

describe("the doctor's finding about planes", () => {
  it('names each with its load when they work together', () => {
    const { fine, found } = membersOf([plane(), other({ protocol: { min: 2, max: 3 } })], true);
    expect(fine).toBe(true);
    expect(found).toContain(
      'stone-1 (http://10.0.0.5:4322): release 1.0.0, agents: 3, leases: 3, viewers: 7; ',
    );
  });

  it.each([
    ['none is a member', [plane({ alive: false })], 'none renews', 'database'],
    [
      'no common version',
      [plane(), other({ protocol: { min: 3, max: 4 } })],
      'no common version',
      'update all',
    ],
    [
      'a socket, other machines',
      [plane({ address: 'unix:/run/x.sock' }), other()],
      'cannot be reached',
      'PLANE_URL',
    ],
    ['loopback, other machines', [other(), plane({ address: 'http://127.0.0.1:1' })], 'stone-1', 'PLANE_URL'],
  ])('says what to do: %s', (_, planes, found, mend) => {
    const finding = membersOf(planes, true);
    expect(finding.fine).toBe(false);
    expect(finding.found).toContain(found);
    expect(finding.mend).toContain(mend);
  });

  it('is fine on one machine, and while nothing runs', () => {
    const sockets = ['unix:/run/1.sock', 'unix:/run/2.sock'].map((address, i) =>
      plane({ id: `${i}`, address }),
    );
    expect(membersOf(sockets, true).fine).toBe(true);
    expect(membersOf([], false)).toMatchObject({ fine: true, found: 'none is running' });
  });

  it('asks every address of CONTROL_URL', async () => {
    const server = createServer((_req, res) => res.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const id = { id: 'a', address: url, host: 'stone-1', release: '1.0.0', protocol_min: 1, protocol_max: 1 };
    await recordPlane(database.sql, { ...id, agents: 1, viewers: 2 });
    const ask = (CONTROL_URL: string) =>
      planeFindings({ sql: database.sql, settings: parseSettings({ CONTROL_URL }) });
    const { findings, isRunning } = await ask(`${url},http://127.0.0.1:1`);
    expect(isRunning).toBe(true);
    expect(findings.map(({ part, fine }) => [part, fine])).toEqual([
      ['control plane', true],
      ['control plane', false],
      ['planes', true],
    ]);
    expect(findings[1]!.mend).toContain('remove it from CONTROL_URL');
    expect(findings[2]!.found).toContain('agents: 1, leases: 0, viewers: 2');
    expect((await ask('http://127.0.0.1:1')).findings.map(({ fine }) => fine)).toEqual([true, true]);
  });
});
