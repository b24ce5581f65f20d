import type { VNode } from 'preact';
import { ERRORS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';

/** A text with `code` between backticks, and links as in [Markdown](https://commonmark.org). */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split(/(`.*?`|\[.*?\]\(.*?\))/).map((part) => {
        if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>;
        const [, title = '', href] = /^\[(.*)\]\((.*)\)$/.exec(part) ?? [];
        if (href === undefined) return part;
        return (
          <a href={href}>
            <Prose text={title} />
          </a>
        );
      })}
    </>
  );
}

/** Paragraphs of prose, and other elements between them. */
export type Paragraph = string | VNode;

export function Paragraphs({ of }: { of: readonly Paragraph[] }) {
  return (
    <>
      {of.map((part) =>
        typeof part === 'string' ? (
          <p key={part}>
            <Prose text={part} />
          </p>
        ) : (
          part
        ),
      )}
    </>
  );
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

/** A name in the code, with a link to its explanation if there is one. */
export function CodeLink({ href, name }: { href: string | undefined; name: string }) {
  const code = <code>{name}</code>;
  return href === undefined ? code : <a href={href}>{code}</a>;
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
