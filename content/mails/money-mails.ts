import type { MailData, PaidCard } from '#db/messages/mail/rules.ts';
import { amountText } from '../amount.ts';
import { utcTime } from '../utc-time.ts';
import type { Block, MailText, Writing } from './blocks.ts';

type Template<T extends keyof MailData> = (w: Writing, data: MailData[T]) => MailText;
type Paid = Pick<MailData['refund_made'], 'amount' | 'currency' | 'service'>;
type Row = readonly [name: string, value: string | null];

/** What every mail about money consists of; rows without a value are left out. */
interface Parts {
  subject: string;
  sentences: string[];
  rows?: Row[];
  button: { label: string; link: string };
  more?: { label: string; link: string } | null;
}

function mail({ t, url }: Writing, username: string, parts: Parts): MailText {
  const { subject, sentences, button, more } = parts;
  const rows = (parts.rows ?? []).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  const said = [t('mail.greeting', { username }), ...sentences];
  return {
    subject,
    blocks: [
      ...said.map((text): Block => ({ kind: 'text', text })),
      ...(rows.length > 0 ? [{ kind: 'facts', rows } as const] : []),
      { kind: 'button', label: button.label, url: url(button.link) },
      ...(more ? [{ kind: 'button', label: more.label, url: url(more.link) } as const] : []),
    ],
  };
}

const serviceName = (w: Writing, service: string | null): string =>
  service === null ? w.t('plus.title') : w.quoted(service);
const when = (w: Writing, at: string | null): string | null => (at === null ? null : utcTime(w, at));
const cardText = ({ t }: Writing, card: PaidCard | null): string | null =>
  card && t('mail.card_value', { brand: card.brand, digits: card.last_four });
const paid = (w: Writing, { amount, currency, service }: Paid) => ({
  amount: amountText(w, amount, currency),
  service: serviceName(w, service),
});

/** When what is not paid stops, and when it is gone. */
const endRows = (w: Writing, { stops, deleted }: { stops: string | null; deleted: string | null }): Row[] => [
  [w.t('mail.stops'), when(w, stops)],
  [w.t('mail.deleted'), when(w, deleted)],
];

const payment_failed: Template<'payment_failed'> = (w, data) => {
  const { t } = w;
  const values = paid(w, data);
  return mail(w, data.username, {
    subject: t('mail.payment_failed'),
    sentences: [t('mail.payment_failed_sentence', values)],
    rows: [
      [t('mail.amount'), values.amount],
      [t('mail.card'), cardText(w, data.card)],
      [t('mail.reason'), t('mail.reason_value', { reason: data.reason ?? 'declined' })],
      [t('mail.next_attempt'), when(w, data.next_attempt) ?? t('mail.no_attempt')],
      ...endRows(w, data),
    ],
    button: { label: t('mail.pay_button'), link: data.link },
  });
};

/** The bank of the payer wants a confirmation for a renewal. */
const payment_unconfirmed: Template<'payment_unconfirmed'> = (w, data) => {
  const { t } = w;
  return mail(w, data.username, {
    subject: t('mail.payment_unconfirmed'),
    sentences: [t('mail.payment_unconfirmed_sentence', paid(w, data))],
    rows: endRows(w, data),
    button: { label: t('mail.pay_button'), link: data.link },
  });
};

const receipt: Template<'receipt'> = (w, data) => {
  const { t } = w;
  const values = paid(w, data);
  return mail(w, data.username, {
    subject: t('mail.receipt', values),
    sentences: [t('mail.receipt_text', values)],
    rows: [
      [t('mail.amount'), values.amount],
      [t('mail.card'), cardText(w, data.card)],
      [t('mail.paid_until'), when(w, data.paid_until)],
      [t('mail.invoice'), data.invoice?.number ?? null],
    ],
    button: { label: t('mail.billing_button'), link: data.link },
    more: data.invoice && { label: t('mail.invoice_button'), link: data.invoice.link },
  });
};

const refund_made: Template<'refund_made'> = (w, data) => {
  const { t } = w;
  const values = paid(w, data);
  return mail(w, data.username, {
    subject: t('mail.refund_made', values),
    sentences: [t('mail.refund_made_text', values)],
    rows: [[t('mail.credit_note'), data.credit_note?.number ?? null]],
    button: { label: t('mail.payments_button'), link: data.link },
    more: data.credit_note && { label: t('mail.credit_note_button'), link: data.credit_note.link },
  });
};

const renewal_soon: Template<'renewal_soon'> = (w, data) => {
  const { t } = w;
  const values = { ...paid(w, data), date: utcTime(w, data.at) };
  return mail(w, data.username, {
    subject: t('mail.renewal_soon', values),
    sentences: [t('mail.renewal_soon_text', values)],
    rows: [
      [t('mail.amount'), values.amount],
      [t('mail.renews'), values.date],
      [t('mail.card'), cardText(w, data.card)],
    ],
    button: { label: t('mail.billing_button'), link: data.link },
  });
};

const server_ready: Template<'server_ready'> = (w, { username, service, address, link }) => {
  const { t } = w;
  const of = { service: w.quoted(service) };
  return mail(w, username, {
    subject: t('mail.server_ready', of),
    sentences: [t(address === null ? 'mail.server_ready_no_address' : 'mail.server_ready_text', of)],
    rows: [[t('mail.server_address'), address]],
    button: { label: t('mail.server_button'), link },
  });
};

const server_suspended: Template<'server_suspended'> = (w, { username, service, reason, deleted, link }) => {
  const { t } = w;
  const why = reason === 'cancelled' ? 'canceled' : reason;
  const values = { service: w.quoted(service), reason: why, date: utcTime(w, deleted) };
  return mail(w, username, {
    subject: t('mail.server_suspended', values),
    sentences: [t('mail.server_suspended_text', values)],
    rows: [[t('mail.deleted_on'), values.date]],
    button: { label: t('mail.renew_button'), link },
  });
};

const deletion_soon: Template<'deletion_soon'> = (w, { username, service, at, link }) => {
  const { t } = w;
  const values = { service: w.quoted(service), date: utcTime(w, at) };
  return mail(w, username, {
    subject: t('mail.deletion_soon', values),
    sentences: [t('mail.deletion_soon_text', values)],
    rows: [[t('mail.deleted_on'), values.date]],
    button: { label: t('mail.renew_button'), link },
  });
};

const subscription_cancelled: Template<'subscription_cancelled'> = (w, data) => {
  const { t } = w;
  const service = serviceName(w, data.service);
  const after = when(w, data.deleted);
  return mail(w, data.username, {
    subject: t('mail.subscription_cancelled', { service }),
    sentences: [
      t('mail.subscription_cancelled_text', { service, date: utcTime(w, data.until) }),
      ...(after === null ? [] : [t('mail.subscription_cancelled_server', { date: after })]),
    ],
    button: { label: t('mail.billing_button'), link: data.link },
  });
};

const subscription_ended: Template<'subscription_ended'> = (w, { username, service: name, link }) => {
  const { t } = w;
  const service = serviceName(w, name);
  return mail(w, username, {
    subject: t('mail.subscription_ended', { service }),
    sentences: [
      t(name === null ? 'mail.subscription_ended_text' : 'mail.subscription_ended_server', { service }),
    ],
    button: { label: t('mail.payments_button'), link },
  });
};

/** The mails about payments and about the end of what is paid for. */
export const moneyMails = {
  payment_failed,
  payment_unconfirmed,
  receipt,
  refund_made,
  renewal_soon,
  server_ready,
  server_suspended,
  deletion_soon,
  subscription_cancelled,
  subscription_ended,
} satisfies { [T in keyof MailData]?: Template<T> };
