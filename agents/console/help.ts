import type { KnownCommand } from '#control/protocol/console.ts';
import type { Console } from './console.ts';
import { HelpAnswer } from './parse-help.ts';

/** How long an answer is waited for, in milliseconds. Together shorter than panels wait. */
const default_timing = {
  /** For the first line. */
  first: 6_000,
  /** Without a line an answer counts as complete after this time. */
  silence: 400,
  /** For everything. */
  total: 8_000,
};
const max_pages = 40;
/** How much of what a server prints is read while its answer is waited for. */
const max_heard_characters = 200_000;

/**
 * Asks a server for the commands it knows, by its own help and every page of it. Question and answer do not appear in
 * its console. Gives an empty list when it does not answer, and null when it cannot be asked.
 */
export async function askForCommands(
  console: Pick<Console, 'leaveOut' | 'writeUnseen'>,
  help: { command: string; detailed: string },
  timing = default_timing,
): Promise<KnownCommand[] | null> {
  const answer = new HelpAnswer();
  const listener = new SilenceListener(timing);
  let heard = 0;
  console.leaveOut((text) => {
    heard += text.length;
    if (heard > max_heard_characters) return false;
    const is_answer = answer.take(text);
    if (is_answer) listener.heard();
    return is_answer;
  });
  const ask = async (...commands: string[]): Promise<boolean> => {
    const silence = listener.silence();
    const written = await Promise.all(commands.map((command) => console.writeUnseen(command)));
    if (!written.every(Boolean)) return false;
    await silence;
    return true;
  };
  try {
    if (!(await ask(help.command))) return null;
    const pages = Math.min(answer.pages, max_pages);
    if (pages > 1)
      await ask(...Array.from({ length: pages - 1 }, (_, index) => `${help.command} ${index + 2}`));
    if (answer.is_bukkit) await ask(help.detailed);
    return answer.commands();
  } finally {
    listener.stop();
    console.leaveOut(null);
  }
}

/** Waits until nothing was heard for a while. */
class SilenceListener {
  readonly #timing: typeof default_timing;
  readonly #deadline: number;
  #timer: NodeJS.Timeout | undefined;
  #done: () => void = () => {};

  constructor(timing: typeof default_timing) {
    this.#timing = timing;
    this.#deadline = performance.now() + timing.total;
  }

  heard(): void {
    this.#wait(this.#timing.silence);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  silence(): Promise<void> {
    return new Promise((done) => {
      this.#done = done;
      this.#wait(this.#timing.first);
    });
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#done, Math.max(0, Math.min(ms, this.#deadline - performance.now())));
  }
}
