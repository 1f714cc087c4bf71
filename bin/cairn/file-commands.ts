import { type Command, Option } from 'commander';
import { type ConflictChoice, conflictChoices } from '#control/protocol/files.ts';
import type { Asking } from './asking.ts';

/** What the commands below `server files` are made with. */
export interface FileCommands {
  /** A command on the files of the server that is its first argument. */
  verb(name: string, description: string): Command;
  asking: Asking;
  /** Address of Cairn. */
  url(): string;
}

/** What is done when there is a file already; the first choice without the option. */
export const conflictOption = (choices: readonly ConflictChoice[] = conflictChoices): Option =>
  new Option('--on-conflict <choice>', 'when there is one already').choices(choices).default(choices[0]);

/** Text that changes nothing of a terminal, whoever named the file. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\u{fffd}');
