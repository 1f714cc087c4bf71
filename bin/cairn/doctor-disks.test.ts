import { expect, it } from 'vitest';
import type { NodeView } from '#db/hosting/nodes/view.ts';
import { diskLimits } from './doctor-disks.ts';

const here = { HOST: '127.0.0.1', TRUST_PROXY: '', SITE_URL: 'http://127.0.0.1:4321' };
const open = { ...here, SITE_URL: 'https://mods.example.org' };
const node = (facts: NodeView['facts']) => [{ name: 'stone-1', facts }];

it('a node that only measures is a problem where others reach the installation, and is named with the reason', () => {
  const measured = node({ disk_mode: 'measured', disk_why: 'only root may mount' });
  expect(diskLimits(measured, open)).toMatchObject({
    fine: false,
    found: 'node stone-1 only measures (only root may mount)',
  });
  expect(diskLimits(measured, here)).toMatchObject({
    fine: true,
    found: 'node stone-1 only measures (only root may mount)',
  });
});

it('older servers are counted, and a disk without room is a problem everywhere', () => {
  expect(diskLimits(node({ disk_mode: 'image', disk_measured: 2 }), open)).toMatchObject({
    fine: true,
    found: '2 older servers of node stone-1 are only measured',
  });
  expect(diskLimits(node({ disk_mode: 'image', disk_room: 'low' }), here).fine).toBe(false);
  expect(diskLimits(node({ disk_mode: 'image', disk_measured: 0 }), open)).toMatchObject({
    fine: true,
    found: 'hard, for every game server',
  });
});
