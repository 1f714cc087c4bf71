import type { Page } from 'playwright/test';

/** What a test answers requests of a panel with, by their names; `null` leaves one without an answer. */
export type Answers = Record<string, (message: Record<string, unknown>) => object | null>;

export interface AnsweredPanel {
  /** The requests that the test answered. */
  asked: Array<{ name: string; message: Record<string, unknown> }>;
  /** Sends the page an event of the control plane. */
  tell(event: string, message: object): void;
  /** Ends all connections, and lets no new ones through until `restore`. */
  cut(): Promise<void>;
  restore(): void;
}

/**
 * Answers some requests of the panels of a page in place of the control plane, to show states that are hard to bring about;
 * all others go through. Call it before the page is opened.
 */
export async function answerRequests(page: Page, answers: Answers): Promise<AnsweredPanel> {
  const asked: AnsweredPanel['asked'] = [];
  const open = new Set<{ send(text: string): void; close(): Promise<void> }>();
  let isCut = false;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    if (isCut) {
      void socket.close();
      return;
    }
    const server = socket.connectToServer();
    open.add(socket);
    socket.onMessage((text) => {
      // an event with an acknowledgement, as Socket.IO writes it: 42/server,7["name",{...}]
      const [, number, json] = /^42\/server,(\d+)(\[.*\])$/s.exec(String(text)) ?? [];
      const [name, message] = json ? (JSON.parse(json) as [string, Record<string, unknown>]) : [];
      const answer = name && answers[name];
      if (!answer || !message) {
        server.send(text);
        return;
      }
      asked.push({ name, message });
      const result = answer(message);
      if (result) socket.send(`43/server,${number}${JSON.stringify([result])}`);
    });
  });
  return {
    asked,
    tell(event, message) {
      for (const socket of open) socket.send(`42/server,${JSON.stringify([event, message])}`);
    },
    async cut() {
      isCut = true;
      for (const socket of open) await socket.close();
      open.clear();
    },
    restore() {
      isCut = false;
    },
  };
}
