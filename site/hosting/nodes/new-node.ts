import { nodePorts, overcommits } from '#db/hosting/nodes/rules.ts';
import { type Region, regions } from '#db/money/billing/rules.ts';

/** The fields of a new node, as they are typed. */
export const emptyNode = {
  name: '',
  region: regions[0] as Region,
  public_address: '',
  bind_address: '0.0.0.0',
  port_from: String(nodePorts.from),
  port_to: String(nodePorts.to),
  overcommit: '1',
  ram_gb: '',
  cpu: '',
  disk_gb: '',
};
export type NodeFields = typeof emptyNode;

/** Fields with numbers, with their bounds; those that may be empty stand for all that the machine has. */
export const numberFields = {
  port_from: { least: nodePorts.least, most: nodePorts.most, step: 1 },
  port_to: { least: nodePorts.least, most: nodePorts.most, step: 1 },
  overcommit: { ...overcommits, step: 0.1 },
  ram_gb: { least: 1, most: 65_536, step: 1, optional: true },
  cpu: { least: 0.1, most: 4_096, step: 0.1, optional: true },
  disk_gb: { least: 1, most: 1_048_576, step: 1, optional: true },
} as const;
export type NumberField = keyof typeof numberFields;

interface Bounds {
  least: number;
  most: number;
  step: number;
  optional?: boolean;
}

/** Whether a text is a number within bounds; whole where the step is. */
export function isWithin(text: string, { least, most, step, optional = false }: Bounds): boolean {
  if (text.trim() === '') return optional;
  const number = Number(text);
  return number >= least && number <= most && (step < 1 || Number.isInteger(number));
}

/** The request that the fields stand for. */
export function requestOf({ name, region, public_address, bind_address, ...numbers }: NodeFields) {
  const given = Object.entries(numbers).filter(([, text]) => text.trim() !== '');
  return {
    ...{ name: name.trim(), region, public_address: public_address.trim() },
    bind_address: bind_address.trim(),
    ...(Object.fromEntries(given.map(([key, text]) => [key, Number(text)])) as Partial<
      Record<NumberField, number>
    >),
  };
}
