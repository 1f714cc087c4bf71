/** What stands for a secret. No space in it: redacting again finds it whole. */
export const removed = '<removed>';
