import { request } from 'node:http';
import { type ControlAddress, endpointOf } from '#db/platform/runtime/control-address.ts';

/** Between two questions whether a plane is ready; each has as long for its answer. */
const probe_ms = 2_000;
/** A plane that let so many questions in a row without any answer is away: its connections are of no use. */
const max_unanswered = 2;

export interface ControlPlane {
  address: ControlAddress;
  /** What is connected to it through this process. */
  readonly open: Set<{ destroy(): void }>;
  /** A connection to it failed. */
  failed(): void;
}

export interface ControlPlanes {
  /** All planes, in the order in which they should be tried: ready ones first, those with the fewest connections before. */
  inOrder(): ControlPlane[];
  close(): void;
}

/**
 * The control planes that this process connects to. With more than one it asks each every 2 s whether it is ready, and
 * destroys the connections to one that does not answer at all: their clients reconnect, to another one.
 */
export function openControlPlanes(
  addresses: readonly ControlAddress[],
  interval_ms = probe_ms,
): ControlPlanes {
  const planes = addresses.map((address) => {
    const state = { ready: true, unanswered: 0 };
    const failed = () => {
      state.ready = false;
    };
    const plane: ControlPlane = { address, open: new Set(), failed };
    return { plane, state };
  });
  const probe = async ({ plane, state }: (typeof planes)[number]) => {
    const status = await readiness(plane.address, interval_ms);
    state.ready = status === 200;
    state.unanswered = status === null ? state.unanswered + 1 : 0;
    if (state.unanswered === max_unanswered) for (const connection of [...plane.open]) connection.destroy();
  };
  const timer =
    planes.length > 1
      ? setInterval(() => {
          for (const one of planes) void probe(one);
        }, interval_ms).unref()
      : undefined;
  return {
    inOrder: () =>
      planes
        .map((one) => ({ ...one, chance: Math.random() }))
        .sort(
          (a, b) =>
            Number(b.state.ready) - Number(a.state.ready) ||
            a.plane.open.size - b.plane.open.size ||
            a.chance - b.chance,
        )
        .map(({ plane }) => plane),
    close: () => clearInterval(timer),
  };
}

/** The status of `/readyz`; null without an answer in time. */
const readiness = (address: ControlAddress, limit_ms: number): Promise<number | null> =>
  new Promise((done) => {
    const asked = request(
      { ...endpointOf(address), path: '/readyz', agent: false, timeout: limit_ms },
      (answer) => {
        answer.resume();
        done(answer.statusCode ?? null);
      },
    );
    const timer = setTimeout(() => asked.destroy(), limit_ms);
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => done(null));
    asked.once('close', () => {
      clearTimeout(timer);
      done(null);
    });
    asked.end();
  });
