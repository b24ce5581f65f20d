/** A text of the contract, with `code` between backticks. */
export function Prose({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={part}>{part}</code>))}</>
  );
}
