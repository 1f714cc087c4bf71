import { type CSSProperties, createElement as h, type ReactNode } from 'react';

interface Of {
  className?: string;
  style?: CSSProperties;
  lang?: string | undefined;
}

/** A table of one cell: the only element whose ground and padding every mail program shows. */
export const cell = (props: Record<string, unknown>, ...children: ReactNode[]): ReactNode =>
  table({ role: 'presentation', border: 0, cellPadding: 0, cellSpacing: 0, width: '100%' }, props, children);

/** A part that stands in the middle, as wide as what is around it unless `style` says less. */
export const section = (style: CSSProperties | null, ...children: ReactNode[]): ReactNode =>
  table(
    {
      ...{ align: 'center', width: '100%', border: 0, cellPadding: 0, cellSpacing: 0 },
      ...{ role: 'presentation', style },
    },
    null,
    children,
  );

const table = (props: object, cellProps: object | null, children: ReactNode[]): ReactNode =>
  h('table', props, h('tbody', null, h('tr', null, h('td', cellProps, ...children))));

/** A link that opens beside the mail. */
export const link = ({ style, ...props }: Of & { href: string }, text: string): ReactNode =>
  h('a', { ...props, style: { textDecorationLine: 'none', ...style }, target: '_blank' }, text);

/** What Outlook needs before and after the label of a button: it shows no padding. */
const outlook = (text: string) =>
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a comment that we wrote, never anybody's text
  h('span', { dangerouslySetInnerHTML: { __html: `<!--[if mso]>${text}<![endif]-->` } });
const wide = '&#8202;&#8202;';

/** A link that looks like a button, 12 pixels around its label and 20 beside it. */
export const button = ({ style, ...props }: Of & { href: string }, label: string): ReactNode =>
  h(
    'a',
    {
      ...props,
      style: {
        ...{ lineHeight: '100%', textDecoration: 'none', display: 'inline-block', maxWidth: '100%' },
        ...{ msoPaddingAlt: '0px', ...style, padding: '12px 20px' },
      },
      target: '_blank',
    },
    outlook(`<i style="mso-font-width:500%;mso-text-raise:18" hidden>${wide}</i>`),
    h(
      'span',
      {
        style: {
          ...{ maxWidth: '100%', display: 'inline-block', lineHeight: '120%' },
          ...{ msoPaddingAlt: '0px', msoTextRaise: '9px' },
        },
      },
      label,
    ),
    outlook(`<i style="mso-font-width:500%" hidden>${wide}&#8203;</i>`),
  );
