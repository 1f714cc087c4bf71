import { atom } from 'nanostores';
import type { ApiError } from './api-client.ts';

/**
 * Whether a person follows a project: shown at once, then told by `send`, undone when that gives an error. Clicks while
 * one call is under way are told by the next.
 */
export function createFollowToggle(send: (follow: boolean) => Promise<ApiError | null>) {
  const $follows = atom(false);
  let reported = false;
  let isTelling = false;
  return {
    $follows,
    /** What the server knows; a change under way is newer. */
    learn(follows: boolean): void {
      if (isTelling) return;
      reported = follows;
      $follows.set(follows);
    },
    /** Follows, or no longer does. Gives why not; null when it worked or another call is at it. */
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
