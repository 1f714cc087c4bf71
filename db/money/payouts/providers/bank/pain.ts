import anyAscii from 'any-ascii';
import { decimalOf } from '../decimal.ts';
import type { BankCurrency } from './accounts.ts';

/** What a file is about, and when: `2026-11-27` for the bank, in UTC. */
export interface BankFile {
  id: string;
  currency: BankCurrency;
  debtor_name: string;
  debtor_iban: string;
  debtor_bic: string | null;
  execution_day: string;
  created: string;
}

export interface Transfer {
  key: string;
  receiver: string;
  iban: string;
  file_amount_minor: number;
}

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => signs[sign]!);
const leaf = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`;
const node = (name: string, ...content: string[]): string => `<${name}>${content.join('')}</${name}>`;

/**
 * The transfers of a file as a customer credit transfer initiation, one batch of them. By ISO 20022 pain.001.001.09;
 * for euros the SEPA implementation guideline EPC132-08.
 */
export function painOf(file: BankFile, transfers: readonly Transfer[]): string {
  const sum = transfers.reduce((all, { file_amount_minor }) => all + file_amount_minor, 0);
  const counted = [leaf('NbOfTxs', String(transfers.length)), leaf('CtrlSum', decimalOf(sum))];
  const debtor = node('Dbtr', leaf('Nm', bankText(file.debtor_name, 70)));
  const bank = file.debtor_bic ? leaf('BICFI', file.debtor_bic) : node('Othr', leaf('Id', 'NOTPROVIDED'));
  const in_euros = file.currency === 'EUR';
  const header = node(
    'GrpHdr',
    ...[leaf('MsgId', file.id), leaf('CreDtTm', `${file.created.slice(0, 19)}Z`), ...counted],
    node('InitgPty', leaf('Nm', bankText(file.debtor_name, 70))),
  );
  const payment = node(
    'PmtInf',
    ...[leaf('PmtInfId', file.id), leaf('PmtMtd', 'TRF'), ...counted],
    in_euros ? node('PmtTpInf', node('SvcLvl', leaf('Cd', 'SEPA'))) : '',
    node('ReqdExctnDt', leaf('Dt', file.execution_day)),
    debtor,
    node('DbtrAcct', node('Id', leaf('IBAN', file.debtor_iban))),
    node('DbtrAgt', node('FinInstnId', bank)),
    leaf('ChrgBr', in_euros ? 'SLEV' : 'SHAR'),
    ...transfers.map((one) => `\n${transferOf(one, file.currency)}`),
    '\n',
  );
  const document = node('CstmrCdtTrfInitn', `\n${header}`, `\n${payment}\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">${document}</Document>\n`;
}

const transferOf = ({ key, receiver, iban, file_amount_minor }: Transfer, currency: string): string =>
  node(
    'CdtTrfTxInf',
    node('PmtId', leaf('EndToEndId', key)),
    node('Amt', `<InstdAmt Ccy="${currency}">${decimalOf(file_amount_minor)}</InstdAmt>`),
    // a name of signs only would leave nothing, and banks want one
    node('Cdtr', leaf('Nm', bankText(receiver, 70) || `Payout ${key}`)),
    node('CdtrAcct', node('Id', leaf('IBAN', iban))),
    node('RmtInf', leaf('Ustrd', `Payout ${key}`)),
  );

/**
 * A text with the letters that all banks take: those of EPC217-08, names of other scripts spelled in Latin letters. No slash
 * at its ends and no two in a row. Empty when nothing is left.
 */
export function bankText(text: string, most: number): string {
  return anyAscii(text.normalize('NFC').replace(/\p{Extended_Pictographic}/gu, ' '))
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]+/g, ' ')
    .replace(/\/{2,}/g, '/')
    .replace(/\s+/g, ' ')
    .slice(0, most)
    .replace(/^[/ ]+|(?<![/ ])[/ ]+$/g, '');
}
