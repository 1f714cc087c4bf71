import { definitionOf, type EventName, eventNames } from '#db/platform/events/catalogue.ts';

/** The events of the audit log in kinds, in the order of its filter. */
export const eventKinds = ['account', 'project', 'community', 'money', 'server', 'machine'] as const;
type EventKind = (typeof eventKinds)[number];

/** The kind by the first part of an event's name. */
const kinds: Readonly<Record<string, EventKind>> = {
  ...{ user: 'account', project: 'project', version: 'project', announcement: 'project' },
  ...{ catalogue: 'project', team: 'community', organization: 'community', collection: 'community' },
  ...{ report: 'community', thread: 'community', order: 'money', subscription: 'money', plus: 'money' },
  ...{ card: 'money', charge: 'money', service: 'money', billing: 'money', income: 'money' },
  ...{ payout: 'money', taxform: 'money', server: 'server', node: 'machine', notice: 'machine' },
};

/** The kind of an event by its name. */
export const kindOf = (name: EventName): EventKind =>
  name === 'catalogue.name_released' ? 'account' : kinds[name.split('.', 1)[0]!]!;

/** The events that the audit log stores, in the order of the catalogue of events. */
export const auditedEvents: readonly EventName[] = eventNames.filter((name) => definitionOf(name).audited);

/** The events that a choice of the filter stands for: one by its name, or all of a kind; undefined for everything. */
export function eventsOf(choice: string | null): readonly EventName[] | undefined {
  const kind = eventKinds.find((one) => one === choice);
  if (kind) return auditedEvents.filter((name) => kindOf(name) === kind);
  return auditedEvents.some((name) => name === choice) ? [choice as EventName] : undefined;
}
