import { type ReactNode, useEffect, useState } from 'react';

/**
 * A component that is loaded when it is first shown, so that the page begins without it. One that cannot be loaded leaves
 * its place empty: `ui/scripts/reload.ts` does the rest.
 */
export function later<P extends object>(
  load: () => Promise<(props: P) => ReactNode>,
  waiting: ReactNode = null,
): (props: P) => ReactNode {
  let loaded: ((props: P) => ReactNode) | null = null;
  return function Later(props: P) {
    const [Component, setComponent] = useState(() => loaded);
    useEffect(() => {
      if (loaded) return;
      void load().then((component) => {
        loaded = component;
        setComponent(() => component);
      });
    }, []);
    return Component ? <Component {...props} /> : waiting;
  };
}
