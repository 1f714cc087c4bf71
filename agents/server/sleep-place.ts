import type { Place } from '../sleep/sleepers.ts';
import type { StepContext } from './step.ts';

/** Where players are listened for while a server sleeps, and what they see. Throws when it has no specification. */
export function placeOf({ stored, context }: Pick<StepContext, 'stored' | 'context'>): Place {
  const spec = stored?.spec;
  if (!spec) throw new Error('a server without a specification has no place');
  const { port, game_version, sleep } = spec;
  return {
    host: context.identity().node.bind_address,
    port,
    shown: { motd: sleep?.motd ?? '', game_version },
  };
}
