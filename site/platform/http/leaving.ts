import type { ServerResponse } from 'node:http';

/** Gives the signal that the client left before its answer was complete; made when first asked for. */
export function leavingOf(res: ServerResponse): () => AbortSignal {
  let made: AbortController | undefined;
  return () => {
    if (made) return made.signal;
    const leaving = new AbortController();
    made = leaving;
    const check = () => {
      if (!res.writableFinished) leaving.abort();
    };
    if (res.destroyed) check();
    else res.once('close', check);
    return leaving.signal;
  };
}
