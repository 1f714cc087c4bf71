import { atom } from 'nanostores';
import type { ApiResult } from './api-client.ts';

/**
 * The optimistic state of following a project or a person: shown at once, then sent by `send`, reverted on an error. Clicks during
 * a request are sent with the next one.
 */
export function createFollowToggle(send: (follow: boolean) => Promise<ApiResult<unknown>>) {
  const $follows = atom(false);
  let reported = false;
  let isTelling = false;
  return {
    $follows,
    /** Sets the state known to the server; a change in progress takes precedence. */
    learn(follows: boolean): void {
      if (isTelling) return;
      reported = follows;
      $follows.set(follows);
    },
    /** Follows or unfollows. Gives the refusal; `ok` also while another request is in progress, which then sends this too. */
    async set(follow: boolean): Promise<ApiResult<unknown>> {
      $follows.set(follow);
      let result: ApiResult<unknown> = { ok: true, data: null };
      if (isTelling) return result;
      isTelling = true;
      while (result.ok && $follows.get() !== reported) {
        const requested = $follows.get();
        result = await send(requested);
        if (result.ok) reported = requested;
      }
      isTelling = false;
      $follows.set(reported);
      return result;
    },
  };
}
