import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A registry with the default metrics of every process: memory, CPU, event loop lag, garbage collection. */
export function createRegistry(process_name: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process: process_name });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** A gauge whose value `read` gives at each scrape. */
export function gauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
}

/** A gauge with a value for each of several things, which `read` gives at each scrape; what it leaves out has none. */
export function gaugesBy(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  read: () => Array<[thing: string, value: number]>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [thing, value] of read()) this.set({ [label]: thing }, value);
    },
  });
}

export const counter = <L extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: L[] = [],
) => new Counter({ name, help, labelNames, registers: [registry] });

/** Buckets for durations in seconds, from a cached page (0.1 ms) to a slow upload. */
export const durations = <L extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: L[],
) =>
  new Histogram({
    name,
    help,
    labelNames,
    registers: [registry],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  });
