import type { APIRoute } from 'astro';
import { atom } from '../../../feeds/atom.ts';
import { feedSite, newsFeed } from '../../../news/feed.server.ts';

export const prerender = true;
export const GET: APIRoute = async () => new Response(atom(await newsFeed('/news/feed.atom'), feedSite));
