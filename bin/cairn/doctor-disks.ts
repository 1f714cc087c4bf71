import type { NodeView } from '#db/hosting/nodes/view.ts';
import { isOpen, type Settings } from '#db/platform/runtime/env.ts';
import { type Diagnosis, diagnosis } from './diagnosis.ts';

type Reported = Pick<NodeView, 'name' | 'facts'>;

/**
 * The doctor's finding about the disks of game servers: where strangers get some, a node that only measures is a problem, and
 * so is one whose reserve is used.
 */
export function diskLimits(
  nodes: readonly Reported[],
  settings: Pick<Settings, 'HOST' | 'TRUST_PROXY' | 'SITE_URL'>,
): Diagnosis {
  const measured = nodes.filter(({ facts }) => facts.disk_mode === 'measured');
  const full = nodes.filter(({ facts }) => (facts.disk_room ?? 'enough') !== 'enough');
  const older = nodes.filter(({ facts }) => facts.disk_mode === 'image' && (facts.disk_measured ?? 0) > 0);
  const found = [
    ...full.map(({ name }) => `the disk of node ${name} is nearly full`),
    ...measured.map(
      ({ name, facts }) => `node ${name} only measures${facts.disk_why ? ` (${facts.disk_why})` : ''}`,
    ),
    ...older.map(
      ({ name, facts }) => `${facts.disk_measured} older servers of node ${name} are only measured`,
    ),
  ];
  return diagnosis(
    'disk limits',
    full.length === 0 && (measured.length === 0 || !isOpen(settings)),
    found.length > 0 ? found.join(', ') : 'hard, for every game server',
    'free some space on that node, or give its agent what hard limits need (handbook, "Nodes and agents", "Disk limits")',
  );
}
