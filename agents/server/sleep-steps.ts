import { ownText } from '#db/hosting/servers/own-events.ts';
import { placeOf } from './sleep-place.ts';
import { type Executor, requireSpec } from './step.ts';

/** Pause before a port that was taken is tried again. */
const listen_retry_ms = 10_000;

/** The steps of a server that falls asleep and waits for a player. */
export const sleepSteps: Pick<Executor, 'fall_asleep' | 'listen' | 'end_listening'> = {
  async fall_asleep(server) {
    // somebody may have joined since the last count; without an answer nobody knows
    if ((await server.players.fresh())?.online !== 0) return server.players.forget();
    const { stored, kind } = requireSpec(server);
    const { spec, state } = stored;
    if (state.power !== 'running' || state.intent || !spec.sleep) return;
    await server.console.note(ownText('fell_asleep', spec.sleep.after_minutes));
    const deadline = server.context.now() + kind.stop.grace_s * 1000;
    const { state: now } = requireSpec(server).stored;
    if (now.intent) return; // killed meanwhile
    // the next step asks the process
    server.saveState({ ...now, power: 'stopping', intent: { kind: 'sleep', deadline, forced: false } });
  },

  async listen(server) {
    const { context, id } = server;
    const { state } = requireSpec(server).stored;
    try {
      await context.sleepers.listen(id, placeOf(server), {
        most: server.players.most,
        start_ms: state.start_ms,
        wake: () => server.wake(),
      });
      [server.listen_at, server.listen_warned] = [0, false];
    } catch (err) {
      server.listen_at = context.now() + listen_retry_ms;
      if (server.listen_warned) return;
      server.listen_warned = true;
      context.log.warn({ server_id: id, err }, 'The port of a sleeping server is taken');
      server.report('server.warning', { code: 'sleep_port_taken', detail: String(placeOf(server).port) });
    }
  },

  async end_listening(server) {
    server.context.sleepers.endListening(server.id);
  },
};
