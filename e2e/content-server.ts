import { expect, type Page } from 'playwright/test';
import { type AnsweredPanel, type Answers, answerRequests } from './answered-requests.ts';
import { cairn } from './cairn.ts';
import { scriptedNode } from './scripted-node.ts';

/** A rented server on a node that a test scripts, and its renter. */
export interface ContentServer {
  id: string;
  /** Signs its renter in and opens `path`, with these requests answered by the test. */
  open(page: Page, answers: Answers, path: string): Promise<AnsweredPanel>;
  signIn(page: Page): Promise<void>;
  close(): Promise<void>;
}

const word = 'nine-warm-stones';

/** `port`: one that no other test uses. The node has room for one server only, so that orders of others go elsewhere. */
export async function contentServer(name: string, port: number): Promise<ContentServer> {
  const tag = `${name}${Date.now().toString(36)}`;
  await cairn('user', 'create', '--username', tag, '--email', `${tag}@example.org`, '--password', word);
  const room = ['--ram', '4096', '--ports', `${port}-${port}`, '--bind', '127.0.0.1'];
  const where = ['--region', 'western-europe', '--address', 'play.example.org'];
  const command = await cairn('node', 'add', tag, ...where, ...room);
  const node = await scriptedNode(/--join (\S+)/.exec(command)![1]!);
  const token = await cairn('token', 'create', '--user', tag, '--scopes', 'all');
  const wish = ['--plan', 'small', '--name', 'Valley', '--kind', 'local', '--region', 'western-europe'];
  const id = await cairn('server', '--token', token, 'create', ...wish);
  await expect.poll(() => node.specs.has(id)).toBe(true);
  const signIn = async (page: Page) => {
    await page.getByLabel('Email or username').fill(tag);
    await page.getByLabel('Password').fill(word);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  return {
    id,
    signIn,
    async open(page, answers, path) {
      const panel = await answerRequests(page, answers);
      await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(path)}`);
      await signIn(page);
      return panel;
    },
    async close() {
      node.close();
      await cairn('node', 'drain', tag);
    },
  };
}
