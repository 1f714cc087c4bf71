import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { z } from 'zod';
import { newsFrontMatter } from '#content/front-matter.ts';
import { type NewsletterArticle, queueNewsletter } from '#db/messages/mail/send-newsletter.ts';
import { articlePath } from '#site/discovery/news/paths.ts';
import { frontMatter } from '../check-content.ts';
import { root } from '../install.mjs';
import { UserError } from '../user-error.ts';
import { print } from './print.ts';
import { withContext } from './with-context.ts';

/** `newsletter`: mails to those who subscribed to it. `folder`: where `content/` and what is built of it lie. */
export function newsletterCommands(program: Command, folder = root): void {
  program
    .command('newsletter')
    .description('Writes to the subscribers of the newsletter.')
    .command('send <article>')
    .description(
      'Queues a mail about an article of the news for each subscriber who did not get it yet; prints how many.',
    )
    .option('--dry-run', 'only count')
    .option('--json', 'as JSON')
    .action(async (slug: string, { dryRun: dry_run, json }) => {
      const article = articleOf(folder, slug);
      const sent = await withContext((context) =>
        queueNewsletter(context.sql, context, article, { now: context.now(), dry_run }),
      );
      if (sent.subscribers === 0) throw new UserError('Nobody has subscribed to the newsletter.');
      print([sent], json);
    });
}

/** What the newsletter says of an article; a `UserError` says why there is none. */
function articleOf(folder: string, slug: string): NewsletterArticle {
  const news = join(folder, 'content/news');
  const slugs = readdirSync(news).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []));
  if (!slugs.includes(slug))
    throw new UserError(`There is no article “${slug}”. Articles are: ${slugs.sort().join(', ')}.`);
  const matter = frontMatter.exec(readFileSync(join(news, `${slug}.md`), 'utf8'))?.[1];
  const read = newsFrontMatter(z.string()).safeParse(parse(matter ?? ''));
  if (!read.success)
    throw new UserError(`${slug} has mistakes in its front matter: build the site to see them.`);
  const { title, summary, draft } = read.data;
  if (draft) throw new UserError(`${slug} is a draft, which nobody but you can read.`);
  const link = articlePath(slug);
  const pages = join(folder, 'dist/pages');
  if (existsSync(pages) && !existsSync(join(pages, `${link}.html`)))
    throw new UserError(`The site does not show ${slug} yet: restart it, which builds it.`);
  return { slug, mail: { title, summary, link } };
}
