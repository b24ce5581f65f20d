import type { ComponentChildren } from 'preact';
import { type Paragraph, Paragraphs, StatusBadge } from './prose.tsx';

/** A page about the API. The navigation and the search list its sections. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** For search engines and previews. */
  readonly summary: string;
  readonly introduction: ComponentChildren;
  /** Words that readers may search for, in addition to those of its text. */
  readonly words?: string;
  readonly groups: readonly Group[];
}

export interface Group {
  readonly title: string;
  /** Folds away in the navigation of other pages. */
  readonly isLong?: boolean;
  readonly sections: readonly Section[];
}

export interface Section {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
  /** Words that readers may search for, in addition to those of its text. */
  readonly words?: string;
  readonly method?: string;
  /** Of an error. Its title is code. */
  readonly status?: number;
  readonly removedAt?: Date | undefined;
  readonly prose: readonly Paragraph[];
  /** Samples and examples, in the column on the right of a wide screen. */
  readonly side?: ComponentChildren;
  /** The prose has the fields of a request, and the side sends it. */
  readonly isRequest?: boolean;
  /** Further rows. */
  readonly more?: ComponentChildren;
}

/** A section with its heading, which has a link to it. */
export function SectionContent({ section }: { section: Section }) {
  const { id, title, status, prose, side, isRequest = false, more } = section;
  const heading = titleId(id);
  return (
    <section id={id}>
      <Row side={side} requestTitle={isRequest ? heading : undefined}>
        <h2 id={heading}>
          {status === undefined ? title : <ErrorTitle status={status} code={title} />}{' '}
          <a class="anchor" href={`#${id}`} aria-label="Link to this section">
            #
          </a>
        </h2>
        <Paragraphs of={prose} />
      </Row>
      {more}
    </section>
  );
}

export function ErrorTitle({ status, code }: { status: number; code: string }) {
  return (
    <>
      <StatusBadge status={status} /> <code>{code}</code>
    </>
  );
}

export function titleId(section: string): string {
  return `${section}-title`;
}

interface RowProps {
  readonly children: ComponentChildren;
  readonly side: ComponentChildren;
  /** The id of the heading, for a row whose side sends a request. */
  readonly requestTitle?: string | undefined;
}

/** Prose, and the code that belongs to it. */
export function Row({ children, side, requestTitle }: RowProps) {
  const columns = (
    <>
      <div class="prose">{children}</div>
      {side !== undefined && <aside class="side">{side}</aside>}
    </>
  );
  if (requestTitle === undefined) return <div class="row">{columns}</div>;
  return (
    <form class="row" aria-labelledby={requestTitle}>
      {columns}
    </form>
  );
}
