import type { APIRoute } from 'astro';
import { type ChangelogProduct, changelogProducts } from '#content/changelog-entries.ts';
import { feedOfChangelog } from '../../../../../discovery/changelog/feed.server.ts';
import { eachInEveryLanguage } from '../../../../../platform/static-pages/locales.ts';

export const prerender = true;
export const getStaticPaths = () =>
  eachInEveryLanguage(changelogProducts.map((product) => ({ params: { product }, props: { product } })));

export const GET: APIRoute<{ product: ChangelogProduct }> = ({ locals, props }) =>
  feedOfChangelog(locals, props.product);
