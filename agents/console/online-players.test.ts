import { describe, expect, it } from 'vitest';
import { askForPlayers, namesIn } from './online-players.ts';

describe('an answer to list', () => {
  it.each([
    [
      '[12:00:00] [Server thread/INFO]: There are 2 of a max of 20 players online: Odo, Eve_1',
      ['Odo', 'Eve_1'],
    ],
    ['[12:00:00 INFO]: \u001b[33mThere are 1 of a max 20 players online: Odo\u001b[0m', ['Odo']],
    ['[12:00:00] [INFO]: There are 0 players online: ', []],
    ['[12:00:00] [Server thread/INFO]: <Eve> There are 1 of a max of 20 players online: Odo', null],
    ['[12:00:00] [Server thread/INFO]: Odo joined the game', null],
  ])('%j names %j', (line, names) => expect(namesIn(line)).toEqual(names));
});

/** A console whose process answers, or does not. */
function consoleThat(answers: readonly string[], isAsked = false) {
  let taken: ((line: string) => boolean) | null = null;
  const shown: string[] = [];
  return {
    shown,
    isAsked,
    leaveOut: (take: typeof taken) => {
      taken = take;
    },
    endLeavingOut: (take: typeof taken) => {
      if (taken === take) taken = null;
    },
    writeUnseen: async () => {
      for (const line of answers) if (!taken?.(line)) shown.push(line);
      return true;
    },
  };
}
const answer = 'There are 1 of a max of 20 players online: Odo';

it('asks unseen, and hides one answer only', async () => {
  const console = consoleThat(['Odo joined the game', answer, answer]);
  expect(await askForPlayers(console)).toEqual(['Odo']);
  expect(console.shown).toEqual(['Odo joined the game', answer]);
});

it('gives up without an answer, and while something else is asked', async () => {
  expect(await askForPlayers(consoleThat(['x']), 1)).toBeNull();
  expect(await askForPlayers(consoleThat([answer], true))).toBeNull();
});
