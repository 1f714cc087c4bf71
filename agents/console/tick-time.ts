import type { Console } from './console.ts';

/** How long an answer is waited for, in milliseconds. */
const answer_ms = 2_000;
/** A time that was told so long ago is not true any more. */
const valid_ms = 150_000;
const ask_every_ms = 60_000;

/** `Average time per tick: 4.1ms (Target: 50.0ms)`, as the game answers to `tick query`. */
const of_game = /\bAverage time per tick: (\d{1,6}(?:[.,]\d{1,6})?) ?ms\b/;
/** `◴ 5.1/3.0/9.2, 5.0/…`, as Paper answers to `mspt`: mean, least and most of the last 5 s first. */
const of_paper = /◴ (\d{1,6}(?:[.,]\d{1,6})?)\/\d/;
/** The other lines of the answer to `tick query`. */
const beside = /\bThe game is (?:running normally|running, but|sprinting|frozen)|\bPercentiles: P50: /;

/** The milliseconds of a tick that a line of a console tells, or null. */
export function tickTimeOf(text: string): number | null {
  const found = of_game.exec(text) ?? of_paper.exec(text.replace(/§./g, ''));
  return found ? Number(found[1]!.replace(',', '.')) : null;
}

type Asked = Pick<Console, 'leaveOut' | 'isLeavingOut' | 'endLeavingOut' | 'writeUnseen'>;

/** How long the ticks of a server take, as its console tells: by itself, by users who ask, and by our own question. */
export class TickTime {
  #told: { at: number; ms: number } | null = null;
  #asked = Number.NEGATIVE_INFINITY;

  hear(text: string, now: number): void {
    const ms = tickTimeOf(text);
    if (ms !== null) this.#told = { at: now, ms };
  }

  /** What was told within the last two and a half minutes, or null. */
  at(now: number): number | null {
    return this.#told && now - this.#told.at < valid_ms ? this.#told.ms : null;
  }

  /** What a server told, which is asked with `command` unless it has none. One that does not run tells nothing. */
  of(
    console: Asked,
    { runs, command }: { runs: boolean; command: string | null | undefined },
    now: () => number,
  ): number | null {
    if (!runs) {
      [this.#told, this.#asked] = [null, Number.NEGATIVE_INFINITY];
      return null;
    }
    if (command) void this.ask(console, command, now);
    return this.at(now());
  }

  /** Asks once a minute at most. Question and answer do not appear in its console. */
  async ask(console: Asked, command: string, now: () => number): Promise<void> {
    if (now() - this.#asked < ask_every_ms || console.isLeavingOut) return;
    this.#asked = now();
    const take = (text: string): boolean => {
      this.hear(text, now());
      return tickTimeOf(text) !== null || beside.test(text);
    };
    console.leaveOut(take);
    if (await console.writeUnseen(command)) await new Promise((done) => setTimeout(done, answer_ms).unref());
    console.endLeavingOut(take);
  }
}
