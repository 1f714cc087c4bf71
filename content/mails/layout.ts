import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { createElement as h, type ReactNode } from 'react';
import type { Block, MailText, Writing } from './blocks.ts';
import { darkRules, light } from './colors.ts';

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
    Html,
    { lang, dir },
    h(
      Head,
      null,
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('title', null, subject),
      h('style', null, darkRules),
    ),
    h(
      Body,
      { className: 'ground', style: { margin: 0, padding: 0, background: light.ground } },
      cell(
        { className: 'ground', style: { padding: '24px 12px', background: light.ground } },
        h(
          Container,
          { style: { maxWidth: '600px' } },
          cell(
            { className: 'paper', dir, style: paper(dir) },
            brand(site.url),
            h(
              Heading,
              {
                as: 'h1',
                lang: heading_lang,
                className: 'ink',
                style: { ...body, ...title, color: light.ink },
              },
              heading,
            ),
            ...blocks.map((block, key) => h(Section, { key }, htmlBlock(block))),
            h(Hr, {
              className: 'line',
              style: { margin: '28px 0 16px', borderTop: `1px solid ${light.line}` },
            }),
            ...footer.map((block, key) => h(Section, { key }, footerBlock(block))),
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

/** A table of one cell: the only element whose ground and padding every program shows. */
const cell = (props: Record<string, unknown>, ...children: ReactNode[]): ReactNode =>
  h(
    'table',
    { role: 'presentation', border: 0, cellPadding: 0, cellSpacing: 0, width: '100%' },
    h('tbody', null, h('tr', null, h('td', props, ...children))),
  );

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
          h(
            Link,
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

function htmlBlock(block: Block): ReactNode {
  switch (block.kind) {
    case 'text':
      return h(
        Text,
        { lang: block.lang, className: 'ink2', style: { ...body, margin: '0 0 14px', color: light.ink2 } },
        block.text,
      );
    case 'note':
      return h(
        Text,
        {
          className: 'ink3',
          style: { ...body, margin: '14px 0', fontSize: '14px', lineHeight: '21px', color: light.ink3 },
        },
        block.text,
      );
    case 'button':
      return h(
        Button,
        {
          href: block.url,
          className: 'button',
          style: {
            ...body,
            margin: '10px 0',
            padding: '12px 20px',
            borderRadius: '6px',
            fontWeight: 600,
            background: light.accent,
            color: light.onAccent,
          },
        },
        block.label,
      );
    case 'facts':
      return block.rows.map(({ name, value }) =>
        h(
          Text,
          { key: name, className: 'ink2', style: { ...body, margin: '0 0 4px', color: light.ink2 } },
          h('span', { className: 'ink3', style: { color: light.ink3 } }, `${name}: `),
          value,
        ),
      );
    case 'list':
      return [
        h(
          Heading,
          { as: 'h2', key: 'title', style: { ...body, margin: '20px 0 6px', fontSize: '18px' } },
          h(
            Link,
            { href: block.url, className: 'ink', style: { color: light.ink, textDecoration: 'none' } },
            block.title,
          ),
        ),
        ...block.items.map(({ text, url }, key) =>
          h(
            Text,
            {
              key,
              className: 'line',
              style: { ...body, margin: 0, padding: '6px 0', borderTop: `1px solid ${light.line}` },
            },
            h(Link, { href: url, className: 'link', style: { color: light.link } }, text),
          ),
        ),
      ];
  }
}

/** Below the line everything is small, and a button is a link. */
function footerBlock(block: Block): ReactNode {
  const small = { ...body, margin: '0 0 6px', fontSize: '13px', lineHeight: '20px', color: light.ink3 };
  if (block.kind === 'button')
    return h(
      Link,
      { href: block.url, className: 'link', style: { ...small, color: light.link } },
      block.label,
    );
  return h(Text, { className: 'ink3', style: small }, block.kind === 'note' ? block.text : '');
}
