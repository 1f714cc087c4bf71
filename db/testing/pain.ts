import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { SaxesParser } from 'saxes';

/**
 * The part of the schema pain.001.001.09 that a batch of credit transfers uses: the elements of each in their order, with how
 * often they come, and what a text may be. Whatever is not here is refused. By ISO 20022 and EPC132-08.
 */
const most35 = /^[A-Za-z0-9/\-?:().,'+ ]{1,35}$/;
const most70 = /^[A-Za-z0-9/\-?:().,'+ ]{1,70}$/;
const most140 = /^[A-Za-z0-9/\-?:().,'+ ]{1,140}$/;
const sum = /^\d{1,16}\.\d\d$/;
const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const bic = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

type Shape = RegExp | ReadonlyArray<[name: string, least: 0 | 1, most: number, shape: Shape]>;
const account: Shape = [['Id', 1, 1, [['IBAN', 1, 1, iban]]]];
const party: Shape = [['Nm', 1, 1, most70]];
const agent: Shape = [
  [
    'FinInstnId',
    ...([1, 1] as const),
    [
      ['BICFI', 0, 1, bic],
      ['Othr', 0, 1, [['Id', 1, 1, /^NOTPROVIDED$/]]],
    ],
  ],
];
const transfer: Shape = [
  ['PmtId', 1, 1, [['EndToEndId', 1, 1, most35]]],
  ['Amt', 1, 1, [['InstdAmt', 1, 1, sum]]],
  ['Cdtr', 1, 1, party],
  ['CdtrAcct', 1, 1, account],
  ['RmtInf', 0, 1, [['Ustrd', 0, 1, most140]]],
];
const payment: Shape = [
  ['PmtInfId', 1, 1, most35],
  ['PmtMtd', 1, 1, /^TRF$/],
  ['NbOfTxs', 1, 1, /^\d{1,15}$/],
  ['CtrlSum', 1, 1, sum],
  ['PmtTpInf', 0, 1, [['SvcLvl', 0, 1, [['Cd', 1, 1, /^SEPA$/]]]]],
  ['ReqdExctnDt', 1, 1, [['Dt', 1, 1, /^\d{4}-\d\d-\d\d$/]]],
  ['Dbtr', 1, 1, party],
  ['DbtrAcct', 1, 1, account],
  ['DbtrAgt', 1, 1, agent],
  ['ChrgBr', 0, 1, /^(SLEV|SHAR)$/],
  ['CdtTrfTxInf', 1, 100_000, transfer],
];
const document: Shape = [
  [
    'CstmrCdtTrfInitn',
    ...([1, 1] as const),
    [
      [
        'GrpHdr',
        ...([1, 1] as const),
        [
          ['MsgId', 1, 1, most35],
          ['CreDtTm', 1, 1, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
          ['NbOfTxs', 1, 1, /^\d{1,15}$/],
          ['CtrlSum', 1, 1, sum],
          ['InitgPty', 1, 1, party],
        ],
      ],
      ['PmtInf', 1, 1, payment],
    ],
  ],
];

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** What is wrong with a file for the bank: nothing when it is empty. */
export function whyNotPain(xml: string): string[] {
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const wrong: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', ({ message }) => wrong.push(message));
  parser.on('opentag', ({ name, attributes, uri }) => {
    if (uri !== 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09') wrong.push(`${name} is of ${uri}`);
    const given = Object.entries(attributes).filter(([key]) => key !== 'xmlns');
    const element = { name, attributes: {}, children: [], text: '' } as Element;
    for (const [key, { value }] of given) element.attributes[key] = value;
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    open.at(-1)!.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  checkShape(top, [['Document', 1, 1, document]], wrong);
  if (wrong.length === 0) checkContent(top, wrong);
  return wrong;
}

function checkShape({ name, children, text }: Element, shape: Shape, wrong: string[]): void {
  if (shape instanceof RegExp) {
    if (children.length > 0 || !shape.test(text)) wrong.push(`${name} is ${text}`);
    return;
  }
  if (text.trim() !== '') wrong.push(`${name} has the text ${text}`);
  let at = 0;
  for (const [child, least, most, inner] of shape) {
    let count = 0;
    for (; children[at]?.name === child; at += 1) {
      count += 1;
      checkShape(children[at]!, inner, wrong);
    }
    if (count < least || count > most) wrong.push(`${name} has ${count} ${child}`);
  }
  if (at < children.length) wrong.push(`${name} has ${children[at]!.name} in a wrong place`);
}

const all = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);

/** What a schema does not see: sums, counts, check digits, one currency, no id twice. */
function checkContent(top: Element, wrong: string[]): void {
  const amounts = all(top, 'InstdAmt');
  const cents = amounts.reduce((total, { text }) => total + Number(text.replace('.', '')), 0);
  for (const { text } of all(top, 'CtrlSum'))
    if (Number(text.replace('.', '')) !== cents) wrong.push(`sum ${text}`);
  for (const { text } of all(top, 'NbOfTxs'))
    if (Number(text) !== amounts.length) wrong.push(`count ${text}`);
  for (const { text } of all(top, 'IBAN'))
    if (!isValidIBAN(electronicFormatIBAN(text) ?? '')) wrong.push(`IBAN ${text}`);
  const currencies = new Set(amounts.map(({ attributes }) => attributes.Ccy ?? ''));
  if (currencies.size !== 1 || !/^[A-Z]{3}$/.test([...currencies][0]!)) wrong.push('more than one currency');
  const ids = all(top, 'EndToEndId').map(({ text }) => text);
  if (new Set(ids).size !== ids.length) wrong.push('an id twice');
  for (const { children } of all(top, 'FinInstnId')) if (children.length !== 1) wrong.push('no bank or two');
}
