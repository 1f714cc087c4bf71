import type { PanelRequests } from '#control/protocol/browser.ts';
import type { StaffRequests } from '#control/protocol/staff.ts';
import type { ControlClient, Message, Messages, ResponseOf } from '../control-client.ts';
import { type Plain, printJson, printPlain } from '../print.ts';
import { type FileRequest, type FileResult, runFileOperation } from './file-operation.ts';
import type { Takes, Values } from './parameters.ts';
import { type Follow, failingAs } from './tasks.ts';

/** A command of `cairn server`. */
export interface Row {
  /** Its words after `cairn server`. */
  path: string;
  help: string;
  takes: Takes;
  /** Whom the control plane sees: a user, or an administrator. */
  as: 'server' | 'staff';
  run: (plane: never, values: never) => Promise<unknown>;
}

/** What of a command goes into a message. */
type Sent<P extends Takes> = Omit<Values<P>, 'json' | 'wait'>;

/** The requests whose messages are what a command takes, no less and no more. */
type Fitting<F extends Messages, P extends Takes> = {
  [E in keyof F]: Sent<P> extends Message<F, E>
    ? Exclude<keyof Sent<P>, keyof Message<F, E>> extends never
      ? E
      : never
    : never;
}[keyof F];

/** Makes the message of a request; it may ask for what is there now. */
type Input<F extends Messages, E extends keyof F, P extends Takes> = (
  values: Sent<P>,
  plane: ControlClient<F>,
) => Message<F, E> | Promise<Message<F, E>>;

interface Asks<F extends Messages, P extends Takes> {
  <E extends Fitting<F, P> & keyof F>(request: E): Asked<F, ResponseOf<F, E>, Values<P>>;
  <E extends keyof F>(request: E, input: Input<F, E, P>): Asked<F, ResponseOf<F, E>, Values<P>>;
}

interface Operates<P extends Takes> {
  <E extends Fitting<PanelRequests, P> & FileRequest>(
    request: E,
  ): Asked<PanelRequests, FileResult<E>, Values<P>>;
  <E extends FileRequest>(
    request: E,
    input: Input<PanelRequests, E, P>,
  ): Asked<PanelRequests, FileResult<E>, Values<P>>;
}

/** A row without what it does. */
interface Begun<F extends Messages, P extends Takes> {
  /** Sends a request: what the command takes, or what `input` makes of it. */
  asks: Asks<F, P>;
  /** The same for a request that is not sent again when the connection is lost. */
  asksOnce: Asks<F, P>;
  /** Runs an operation on files to its end; what is printed is its result. */
  operates: Operates<P>;
  /** Does more than one request. */
  runs(run: (plane: ControlClient<F>, values: Values<P>) => Promise<unknown>): Row;
}

/** A row that prints nothing, unless it says what. */
interface Asked<F extends Messages, A, V> extends Row {
  /** Prints a line. */
  says(line: (answer: A, values: V) => string): Row;
  /** Prints the answer, or a part of it: as JSON with `--json`, else as a line or a table. */
  shows(plain: (answer: A, values: V) => Plain | Promise<Plain>): Row;
  shows<K extends keyof A>(part: K, plain: (part: A[K], values: V, answer: A) => Plain | Promise<Plain>): Row;
  shows<T>(
    part: (answer: A, values: V, plane: ControlClient<F>) => T,
    plain: (part: T, values: V, answer: A) => Plain | Promise<Plain>,
  ): Row;
  /** The same for several lines and tables. */
  lists(plain: (answer: A) => readonly Plain[]): Row;
  lists<K extends keyof A>(part: K, plain: (part: A[K]) => readonly Plain[]): Row;
  lists<T>(part: (answer: A, values: V) => T, plain: (part: T) => readonly Plain[]): Row;
  prints(print: (answer: A, values: V) => unknown): Row;
  /** Prints what was begun, with `--wait` how it ended. Whatever goes wrong is said after `failure`. */
  follows(failure: string, follow: Follow<A, V>): Row;
}

/** A row of the table: a command for everybody. */
export const row = <P extends Takes>(path: string, help: string, takes: P): Begun<PanelRequests, P> =>
  begin<PanelRequests, P>({ path, help, takes, as: 'server' });

/** A row of the table: a command for administrators. */
export const staffRow = <P extends Takes>(path: string, help: string, takes: P): Begun<StaffRequests, P> =>
  begin<StaffRequests, P>({ path, help, takes, as: 'staff' });

/** What the interfaces above say of each command is not known here. */
type AnyValues = Record<string, unknown>;
interface AnyPlane {
  request(request: string, message: object, how?: { once: boolean }): Promise<object>;
}
type Send = (plane: AnyPlane, request: string, message: object) => Promise<object>;

function begin<F extends Messages, P extends Takes>(head: Omit<Row, 'run'>): Begun<F, P> {
  const begun = {
    asks: (...how: How) => asked(head, (plane, request, message) => plane.request(request, message), how),
    asksOnce: (...how: How) =>
      asked(head, (plane, request, message) => plane.request(request, message, { once: true }), how),
    operates: (...how: How) => asked(head, operate, how),
    runs: (run: Row['run']): Row => ({ ...head, run }),
  };
  return begun as unknown as Begun<F, P>;
}

const operate: Send = (plane, request, message) =>
  runFileOperation(plane as never, request as FileRequest, message as never) as Promise<object>;

type How = [request: string, input?: (values: AnyValues, plane: AnyPlane) => object | Promise<object>];
type Part = (answer: object, values: AnyValues, plane: AnyPlane) => unknown;
type Makes = (part: unknown, values: AnyValues, answer: object) => unknown;
/** What is made of the whole answer, of a part of it with this name, or of another part. */
type Shown = [plain: Makes] | [part: string | Part, plain: Makes];

function asked(head: Omit<Row, 'run'>, send: Send, [request, input = (values) => values]: How) {
  /** Makes the message, and gives what sends it. */
  const prepare = async (plane: AnyPlane, { json: _, wait: __, ...values }: AnyValues) => {
    const message = await input(values, plane);
    return () => send(plane, request, message);
  };
  const prints = (print: (answer: object, values: AnyValues, plane: AnyPlane) => unknown): Row => ({
    ...head,
    run: async (plane: AnyPlane, values: AnyValues) => {
      const ask = await prepare(plane, values);
      await print(await ask(), values, plane);
    },
  });
  const printsBy = (print: (plain: never) => void) => {
    return (...shown: Shown): Row => {
      const [part, plain]: [string | Part, Makes] =
        shown.length === 2 ? shown : [(answer: object) => answer, shown[0]];
      return prints(async (answer, values, plane) => {
        const value = typeof part === 'string' ? (answer as AnyValues)[part] : part(answer, values, plane);
        if (values.json === true) printJson(value);
        else print((await plain(value, values, answer)) as never);
      });
    };
  };
  return {
    ...prints(() => {}),
    prints,
    says: (line: (answer: object, values: AnyValues) => string) =>
      prints((answer, values) => console.log(line(answer, values))),
    shows: printsBy(printPlain),
    lists: printsBy((plains: readonly Plain[]) => plains.forEach(printPlain)),
    follows: (failure: string, follow: Follow<object, AnyValues>): Row => ({
      ...head,
      run: async (plane: AnyPlane, values: AnyValues) => {
        const ask = await prepare(plane, values);
        const answer = await failingAs(failure, ask);
        await follow(answer, values, { plane: plane as unknown as ControlClient, failure, again: ask });
      },
    }),
  };
}
