import type { Root } from 'hast';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import rehypeHighlight from 'rehype-highlight';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import rehypeSlug from 'rehype-slug';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { type Processor, unified } from 'unified';
import { isTooDeep } from './bounds.ts';
import { embeds } from './embeds.ts';
import { aliases, languages } from './highlight.ts';
import { images, type RenderContext } from './images.ts';
import { fullAddressesOnly, links } from './links.ts';
import { idPrefix, schema } from './sanitize-schema.ts';
import { elements } from './traverse.ts';

/** `**测试（中文）**后面` is bold: CommonMark asks for blanks around such punctuation, which these languages do not write. */
function withEmphasisBesideCjk(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: unknown[] };
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), cjkFriendlyExtension()];
}

/** No footnotes: they would add headings in English. */
function withoutFootnotes(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: unknown[] };
  const names = ['gfmFootnoteCall', 'gfmFootnoteDefinition', 'gfmPotentialFootnoteCall'];
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: names } }];
}

function bounded() {
  return (root: Root): void => {
    if (isTooDeep(root)) throw new Error('too_deep');
  };
}

/** The highlighter marks its blocks with the class `hljs`, which users cannot set. */
function withoutMark() {
  return (root: Root): void => {
    for (const { element } of elements(root)) {
      const names = element.properties.className;
      if (Array.isArray(names)) element.properties.className = names.filter((name) => name !== 'hljs');
    }
  };
}

/**
 * Markdown with raw HTML, sanitized by rehype-sanitize with the schema in sanitize-schema.ts; the steps after it only
 * replace values by generated ones. Runs in the worker. Source: specification §5; stack §9.
 */
export function markdown(context: RenderContext): (source: string) => string {
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(withoutFootnotes)
    .use(withEmphasisBesideCjk)
    .use(fullAddressesOnly)
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(bounded)
    .use(rehypeRaw)
    .use(rehypeSanitize, schema)
    .use(embeds)
    .use(rehypeSlug, { prefix: idPrefix })
    .use(images, context)
    .use(links, context)
    .use(rehypeHighlight, { languages, aliases, plainText: ['text', 'txt'] })
    .use(withoutMark)
    .use(rehypeStringify)
    .freeze();
  return (source) => String(processor.processSync(source));
}
