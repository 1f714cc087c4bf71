import { z } from 'zod';
import { Refused } from '../../../platform/errors.ts';
import { publicRequester } from '../../../platform/runtime/public-request.ts';
import { dashed, type Profile } from './profile.ts';
import { isPlayerName } from './rules.ts';

/** Longest wait for an answer, most bytes of one, how many are remembered and for how long. */
const timeout_ms = 5_000;
const max_answer_bytes = 16 * 1024;
const max_remembered = 1_000;
const remember_ms = 10 * 60_000;
/** Somebody may take a free name at any time. */
const remember_unknown_ms = 60_000;

const answer = z.object({ id: z.string().regex(/^[0-9a-fA-F]{32}$/), name: z.string().refine(isPlayerName) });

/**
 * Finds players with an account by their name: `GET URL/users/profiles/minecraft/NAME` answers `{ id, name }` with the name as
 * its owner writes it, and 204 or 404 when nobody has it. Answers are remembered; addresses that are not public are not asked.
 */
export class ProfileService {
  readonly #url: string;
  readonly #request: ReturnType<typeof publicRequester>;
  readonly #now: () => Date;
  readonly #known = new Map<string, { until: number; profile: Profile | null }>();

  constructor(url: string, now: () => Date, request = publicRequester({ answer_ms: timeout_ms })) {
    [this.#url, this.#now, this.#request] = [url, now, request];
  }

  /** The player of a name in any case, null when there is none. Refuses `player_lookup_failed`. */
  async find(name: string): Promise<Profile | null> {
    if (!isPlayerName(name)) return null;
    const key = name.toLowerCase();
    const now = this.#now().getTime();
    const known = this.#known.get(key);
    if (known && known.until > now) return known.profile;
    const profile = await this.#ask(name).catch(() => {
      throw new Refused('player_lookup_failed');
    });
    this.#known.delete(key);
    this.#known.set(key, { profile, until: now + (profile ? remember_ms : remember_unknown_ms) });
    if (this.#known.size > max_remembered) this.#known.delete(this.#known.keys().next().value!);
    return profile;
  }

  async #ask(name: string): Promise<Profile | null> {
    const url = new URL(`${this.#url}/users/profiles/minecraft/${name}`);
    const signal = AbortSignal.timeout(timeout_ms);
    const { statusCode, body } = await this.#request(url, {
      signal,
      headers: { accept: 'application/json' },
    });
    body.on('error', () => {});
    if (statusCode === 204 || statusCode === 404) {
      body.destroy();
      return null;
    }
    if (statusCode !== 200) {
      body.destroy();
      throw new Error(`the profile service answered ${statusCode}`);
    }
    let text = '';
    for await (const chunk of body) {
      text += (chunk as Buffer).toString();
      if (text.length > max_answer_bytes) throw new Error('the answer of the profile service is too long');
    }
    const found = answer.parse(JSON.parse(text));
    // a service that corrects spelling would let somebody else in
    if (found.name.toLowerCase() !== name.toLowerCase()) throw new Error('the answer is about somebody else');
    return { uuid: dashed(found.id), name: found.name };
  }
}
