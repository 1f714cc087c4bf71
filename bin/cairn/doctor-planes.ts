import type { AppContext } from '#db/context.ts';
import { planeViews } from '#db/hosting/planes/read.ts';
import { planesApart } from '#db/hosting/planes/rules.ts';
import type { PlaneView } from '#db/hosting/planes/view.ts';
import {
  addressText,
  controlAddresses,
  endpointOf,
  parseControlAddress,
} from '#db/platform/runtime/control-address.ts';
import { isLoopback } from '#db/platform/runtime/env.ts';
import { probe } from '../readiness.ts';
import { type Diagnosis, diagnosis } from './diagnosis.ts';

/** The doctor's findings about control planes: each address of CONTROL_URL, and what the planes say of themselves. */
export async function planeFindings({
  settings,
  sql,
}: Pick<AppContext, 'settings' | 'sql'>): Promise<{ findings: Diagnosis[]; isRunning: boolean }> {
  const addresses = controlAddresses(settings);
  const answers = await Promise.all(addresses.map((address) => probe(endpointOf(address), '/readyz')));
  const isRunning = answers.some((answer) => answer !== null);
  const findings = addresses.map((address, at) => {
    const answer = answers[at]!;
    const where = addressText(address).replace(/^unix:/, '');
    return diagnosis(
      'control plane',
      // all of them away is a product that is not running
      answer === null ? !isRunning : answer.status === 200,
      answer === null ? `not running at ${where}` : answer.status === 200 ? `ready at ${where}` : answer.body,
      answer === null
        ? `start the control plane at ${where}, or remove it from CONTROL_URL`
        : 'check the log of the control plane and its way to the database, then restart it',
    );
  });
  return { findings: [...findings, membersOf(await planeViews(sql), isRunning)], isRunning };
}

/** What is wrong with the planes together. */
export function membersOf(planes: readonly PlaneView[], isRunning: boolean): Diagnosis {
  const alive = planes.filter((plane) => plane.alive);
  const name = ({ host, address }: PlaneView) => `${host} (${address})`;
  const [apart] = planesApart(planes);
  const unreachable = alive.find(
    (plane) => alive.some(({ host }) => host !== plane.host) && isLocal(plane.address),
  );
  const problem =
    isRunning && alive.length === 0
      ? {
          found: 'one answers, but none renews its row in the database',
          mend: 'check the log of the control plane and its way to the database, then restart it',
        }
      : apart
        ? {
            found: `${name(apart[0])} of release ${apart[0].release} and ${name(apart[1])} of release ${apart[1].release} speak no common version`,
            mend: 'update all control planes to one release',
          }
        : unreachable
          ? {
              found: `${name(unreachable)} cannot be reached from the other machines`,
              mend: 'set PLANE_URL there to an address of that machine, such as http://10.0.0.5:4322',
            }
          : null;
  const loads = alive.map(
    (plane) =>
      `${name(plane)}: release ${plane.release}, agents: ${plane.agents}, leases: ${plane.leases}, viewers: ${plane.viewers}`,
  );
  const found = problem?.found ?? (loads.length > 0 ? loads.join('; ') : 'none is running');
  return diagnosis('planes', problem === null, found, problem?.mend ?? '');
}

/** Whether only its own machine reaches the address. */
function isLocal(address: string): boolean {
  const parsed = parseControlAddress(address);
  return 'socketPath' in parsed || isLoopback(parsed.url.hostname);
}
