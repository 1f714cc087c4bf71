import type { Block, MailText } from './blocks.ts';

/** The plain-text part of a mail: what its HTML says, with addresses written out. */
export function plainText({ subject, heading = subject, blocks }: MailText, footer: Block[]): string {
  const parts = [...blocks, { kind: 'text', text: '-- ' } as const, ...footer];
  return `${[heading, ...parts.map(plainBlock)].join('\n\n')}\n`;
}

function plainBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'note':
      return block.text;
    case 'button':
      return `${block.label}:\n${block.url}`;
    case 'facts':
      return block.rows.map(({ name, value }) => `${name}: ${value}`).join('\n');
    case 'list':
      return [block.title, ...block.items.map(({ text, url }) => `- ${text}\n  ${url}`)].join('\n');
  }
}
