import { atom } from 'nanostores';
import type { ApiError } from './api-client.ts';

/**
 * The optimistic state of following a project: shown at once, then sent by `send`, reverted on an error. Clicks during
 * a request are sent with the next one.
 */
export function createFollowToggle(send: (follow: boolean) => Promise<ApiError | null>) {
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
    /** Follows or unfollows. Gives the error; null when it worked or another request is in progress. */
    async toggle(): Promise<ApiError | null> {
      $follows.set(!$follows.get());
      if (isTelling) return null;
      isTelling = true;
      let error: ApiError | null = null;
      while (!error && $follows.get() !== reported) {
        const requested = $follows.get();
        error = await send(requested);
        if (!error) reported = requested;
      }
      isTelling = false;
      $follows.set(reported);
      return error;
    },
  };
}
