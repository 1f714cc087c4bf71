import type { Messages } from './messages.ts';

/** What changed of somebody's share of the revenue of `owner`, a project or an organization; shares are from 0 to 1. */
export function shareSentence(
  { t, formatting }: Messages,
  owner: string,
  { before, after }: Readonly<Record<string, unknown>>,
): string {
  const percent = new Intl.NumberFormat(formatting, { style: 'percent', maximumFractionDigits: 1 });
  return t('notifications.share_changed', {
    owner,
    before: percent.format(Number(before)),
    after: percent.format(Number(after)),
  });
}
