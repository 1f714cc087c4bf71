import type { CardOption } from '../card-options.ts';

/**
 * What the form of every processor gets. It is the field `card` of the form around it, and its slot says what is wrong with that.
 * `enteredMethod` reads what it sends.
 */
export interface CardFormProps {
  /** Cards that can pay without being entered. */
  options: readonly CardOption[];
  /** The value of the chosen one; null to enter another one. */
  chosen: string | null;
  /** What was chosen or entered before. */
  before: string | null;
}
