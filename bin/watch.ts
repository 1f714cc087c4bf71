import { watch as watchFolder } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';
import type { Processes } from './processes.ts';

/** Pages, islands and styles are reloaded by Vite; everything else needs a restart of its process. */
const byVite =
  /^site\/(?!api\/|platform\/(http|route|upload|ready-answers)\/|.*\.server\.ts|server\.ts|dev-server\.ts)/;
const ofAgent =
  /^(agents\/(?!local-kind\/)|control-plane\/[^/]*protocol\.ts|db\/(.*\/(rules|errors|env|log))\.ts)/;
const ignored = /\.(test|e2e)\.ts$|~$|\.swp$|\.md$/;
const settle_ms = 150;

/** Restarts site, control planes and agent when their sources change. Gives a function that stops watching. */
export function watch({ site, planes, agent }: Processes): () => void {
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const act = () => {
    const paths = [...changed];
    changed = new Set();
    if (paths.some((path) => /^(db|site)\//.test(path) && !byVite.test(path))) site.restart();
    if (paths.some((path) => /^(db|control-plane|content)\//.test(path)))
      for (const plane of planes) plane.restart();
    if (paths.some((path) => ofAgent.test(path))) agent?.restart();
  };
  const watchers = ['db', 'site', 'control-plane', 'content', 'agents'].map((folder) =>
    watchFolder(join(root, folder), { recursive: true }, (_kind, name) => {
      if (!name || ignored.test(name)) return;
      changed.add(`${folder}/${name.replaceAll('\\', '/')}`);
      clearTimeout(timer);
      timer = setTimeout(act, settle_ms);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const one of watchers) one.close();
  };
}
