interface EmptyProps {
  title: string;
  text: string;
}

/** Dashed stones, and what is missing. */
export const Empty = ({ title, text }: EmptyProps) => (
  <div className="empty">
    <svg
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeDasharray="2 1.6"
      strokeWidth=".8"
      aria-hidden="true"
    >
      <path d="M2 25.9C2 22.2 7 20.5 15 20.5c9 0 15 2.3 15 5.6 0 2.8-4.6 3.9-13.6 3.9C7.2 30 2 29 2 25.9Z" />
      <path d="M5.6 15.9C5.3 12.9 9.4 10.9 15 11.1c6.6.2 11 2 10.9 4.8-.1 2.6-4.7 3.2-10.5 3.1-5.8-.1-9.5-.4-9.8-3.1Z" />
      <path d="M11.4 6.1C11.2 3.4 14 1.8 17.2 2c3.4.2 5.4 1.8 5.2 4.2-.2 2.6-2.6 3.4-5.7 3.3-3.1-.1-5.1-.8-5.3-3.4Z" />
    </svg>
    <h2>{title}</h2>
    <p>{text}</p>
  </div>
);
