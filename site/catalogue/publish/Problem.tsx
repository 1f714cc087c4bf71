/** What is wrong with a field, below it. */
export const Problem = ({ id, text }: { id: string; text: string | undefined }) => (
  <p className="hint bad" id={id} hidden={!text}>
    {text}
  </p>
);
