import { fill } from '../../text/fill.ts';
import type { BoardTexts } from './message-keys.ts';

/** The localized messages of the nodes board. */
export interface BoardMessages {
  t(key: keyof BoardTexts['plain']): string;
  fill(key: keyof BoardTexts['plain'], values: Record<string, string>): string;
  count(key: keyof BoardTexts['counted'], count: number): string;
  number(value: number, digits?: number): string;
  /** The name of a region; an operator may have regions that are not sold. */
  region(id: string): string;
}

export function boardMessages({ plain, counted, regions, formatting }: BoardTexts): BoardMessages {
  const number = (value: number, digits = 0) =>
    new Intl.NumberFormat(formatting, { maximumFractionDigits: digits }).format(value);
  const rules = new Intl.PluralRules(formatting);
  return {
    t: (key) => plain[key],
    fill: (key, values) => fill(plain[key], values),
    count: (key, count) =>
      fill(counted[key][rules.select(count)] ?? counted[key].other ?? '', { shown: number(count) }),
    number,
    region: (id) => regions[id] ?? id,
  };
}
