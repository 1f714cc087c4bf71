import { createElement as h, type ReactNode } from 'react';
import type { Block, MailText, Writing } from './blocks.ts';
import { darkRules, light } from './colors.ts';
import { button, cell, link, section } from './elements.ts';

const face = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif';
const body = { margin: 0, fontFamily: face, fontSize: '16px', lineHeight: '25px' };

/** The one layout of all mails: 600 pixels wide, no pictures, the reader’s theme where the program knows it. */
export function mailLayout(
  { locale, dir, site, formatting }: Writing,
  { subject, heading = subject, heading_lang, blocks }: MailText,
  footer: Block[],
): ReactNode {
  // languages that are made from en-US have a tag that no program knows
  const lang = formatting === locale ? locale : new Intl.Locale(formatting).baseName;
  return h(
    'html',
    { dir, lang },
    h(
      'head',
      null,
      h('meta', { content: 'text/html; charset=UTF-8', httpEquiv: 'Content-Type' }),
      h('meta', { name: 'x-apple-disable-message-reformatting' }),
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('title', null, subject),
      h('style', null, darkRules),
    ),
    h(
      'body',
      { className: 'ground', style: { margin: 0, padding: 0, background: light.ground } },
      cell(
        { className: 'ground', style: { padding: '24px 12px', background: light.ground } },
        section(
          { maxWidth: '600px' },
          cell(
            { className: 'paper', dir, style: paper(dir) },
            brand(site.url),
            h(
              'h1',
              { lang: heading_lang, className: 'ink', style: { ...body, ...title, color: light.ink } },
              heading,
            ),
            ...blocks.map((block) => section(null, ...htmlBlock(block))),
            h('hr', {
              className: 'line',
              style: {
                ...{ width: '100%', border: 'none', borderTop: `1px solid ${light.line}` },
                margin: '28px 0 16px',
              },
            }),
            ...footer.map((block) => section(null, footerBlock(block))),
          ),
        ),
      ),
    ),
  );
}

const title = { margin: '24px 0 12px', fontSize: '24px', lineHeight: '30px' };
const paper = (dir: Writing['dir']) =>
  ({
    padding: '32px 40px',
    background: light.paper,
    border: `1px solid ${light.line}`,
    borderRadius: '10px',
    textAlign: dir === 'rtl' ? 'right' : 'left',
  }) as const;

/** The name and three stones, drawn by the ground of elements: pictures are often not loaded. */
function brand(url: string): ReactNode {
  const stone = (width: number, className: string, color: string) =>
    h('div', {
      className,
      style: {
        width: `${width}px`,
        height: '6px',
        margin: '0 auto 2px',
        borderRadius: '4px',
        background: color,
      },
    });
  const stones = [
    stone(10, 'top', light.accent),
    stone(18, 'stone', light.stone),
    stone(24, 'stone', light.stone),
  ];
  return h(
    'table',
    { role: 'presentation', border: 0, cellPadding: 0, cellSpacing: 0 },
    h(
      'tbody',
      null,
      h(
        'tr',
        null,
        h('td', { 'aria-hidden': true, style: { width: '24px', verticalAlign: 'middle' } }, ...stones),
        h(
          'td',
          { style: { padding: '0 10px', verticalAlign: 'middle' } },
          link(
            {
              href: url,
              className: 'ink',
              style: { ...body, color: light.ink, fontWeight: 650, textDecoration: 'none' },
            },
            'Cairn',
          ),
        ),
      ),
    ),
  );
}

function htmlBlock(block: Block): ReactNode[] {
  switch (block.kind) {
    case 'text': {
      const style = { ...body, margin: '0 0 14px', color: light.ink2 };
      return [h('p', { lang: block.lang, className: 'ink2', style }, block.text)];
    }
    case 'note': {
      const style = { ...body, margin: '14px 0', fontSize: '14px', lineHeight: '21px', color: light.ink3 };
      return [h('p', { className: 'ink3', style }, block.text)];
    }
    case 'button': {
      const colors = { background: light.accent, color: light.onAccent };
      const style = { ...body, margin: '10px 0', borderRadius: '6px', fontWeight: 600, ...colors };
      return [button({ href: block.url, className: 'button', style }, block.label)];
    }
    case 'facts':
      return block.rows.map(({ name, value }) =>
        h(
          'p',
          { className: 'ink2', style: { ...body, margin: '0 0 4px', color: light.ink2 } },
          h('span', { className: 'ink3', style: { color: light.ink3 } }, `${name}: `),
          value,
        ),
      );
    case 'list':
      return [
        h(
          'h2',
          { style: { ...body, margin: '20px 0 6px', fontSize: '18px' } },
          link(
            { href: block.url, className: 'ink', style: { color: light.ink, textDecoration: 'none' } },
            block.title,
          ),
        ),
        ...block.items.map(({ text, url }) =>
          h(
            'p',
            {
              className: 'line',
              style: { ...body, margin: 0, padding: '6px 0', borderTop: `1px solid ${light.line}` },
            },
            link({ href: url, className: 'link', style: { color: light.link } }, text),
          ),
        ),
      ];
  }
}

/** Below the line everything is small, and a button is a link. */
function footerBlock(block: Block): ReactNode {
  const small = { ...body, margin: '0 0 6px', fontSize: '13px', lineHeight: '20px', color: light.ink3 };
  if (block.kind === 'button')
    return link({ href: block.url, className: 'link', style: { ...small, color: light.link } }, block.label);
  return h('p', { className: 'ink3', style: small }, block.kind === 'note' ? block.text : '');
}
