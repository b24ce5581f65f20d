import { ERRORS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';

/** A text of the contract, with `code` between backticks. */
export function Prose({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={part}>{part}</code>))}</>
  );
}

interface CodeLinkProps {
  readonly href: string | undefined;
  readonly name: string;
}

/** A name in the code, with a link to its explanation if there is one. */
export function CodeLink({ href, name }: CodeLinkProps) {
  const code = <code>{name}</code>;
  return href === undefined ? code : <a href={href}>{code}</a>;
}

interface DefinitionListProps {
  readonly definitions: readonly {
    /** Its anchor. */
    readonly id?: string;
    readonly name: string;
    /** Where the name links to. */
    readonly href?: string;
    readonly meaning: string;
  }[];
}

/** Names of headers, fields or codes, and what they mean. */
export function DefinitionList({ definitions }: DefinitionListProps) {
  return (
    <dl class="definitions">
      {definitions.map(({ id, name, href, meaning }) => (
        <div key={name} id={id}>
          <dt>
            <CodeLink name={name} href={href} />
          </dt>
          <dd>
            <Prose text={meaning} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function MethodBadge({ method }: { method: string }) {
  return <span class={`badge method ${method === 'GET' ? 'info' : 'good'}`}>{method}</span>;
}

/** The tone of each class of statuses. */
const TONES = ['neutral', 'neutral', 'good', 'info', 'warning', 'bad'];

export function StatusBadge({ status, title }: { status: number; title?: string }) {
  return <span class={`badge status ${TONES[Math.floor(status / 100)]}`}>{title ?? status}</span>;
}

/** As 5 December 2030, in UTC. */
export function calendarDay(date: Date): string {
  return date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}

/** A relative link from one path to another, which works behind a proxy that adds a prefix. */
export function relative(from: string, to: string): string {
  return '../'.repeat(from.split('/').length - 2) + to.slice(1);
}

/** From the reference page. */
export const ERRORS_HREF = relative(REFERENCE_PAGE, ERRORS_PAGE);
