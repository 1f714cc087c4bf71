import { ownText } from '#db/hosting/servers/own-events.ts';
import { statusOf } from '../docker/client.ts';
import { inspectServer, signal } from '../docker/containers.ts';
import type { StoredServer } from '../state/servers.ts';
import type { StepContext } from './step.ts';

/** Kills the process of `server` at once, beside any other step. Gives whether it was running. */
export async function kill(server: StepContext): Promise<boolean> {
  const { context } = server;
  const stored = server.stored;
  if (!stored) return false;
  const alive = stored.state.power !== 'stopped' && stored.state.power !== 'crashed';
  if (alive) {
    const intent = { kind: 'kill', deadline: context.now(), forced: true } as const;
    server.saveState({ ...stored.state, power: 'stopping', intent });
    // its specification comes before the operation, unless that was faster
    const by = stored.spec?.power === 'off' ? stored.spec.power_by : null;
    void server.console.note(ownText('kill_requested', by));
  }
  try {
    const observed = await inspectServer(context.docker, context.identity(), server.id);
    return observed ? await signal(context.docker, observed.id, 'SIGKILL') : false;
  } catch (error) {
    // it is reported as failed, so it must not happen later
    const now = server.stored;
    if (now?.state.intent?.kind === 'kill') server.saveState({ ...now.state, ...powerAndIntent(stored) });
    if (statusOf(error) === null) context.docker.recheck();
    throw error;
  }
}

const powerAndIntent = ({ state: { power, intent } }: StoredServer) => ({ power, intent });
