import type { ComponentChildren } from 'preact';
import { StatusBadge } from './prose.tsx';

/** A page about the API. The navigation and the search list its sections. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** For search engines and previews. */
  readonly summary: string;
  readonly introduction?: ComponentChildren;
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
  readonly body: ComponentChildren;
}

interface ProseSection extends Omit<Section, 'body'> {
  readonly side?: ComponentChildren;
  readonly prose?: ComponentChildren;
  /** Further rows. */
  readonly more?: ComponentChildren;
}

/** A section with a heading, prose, and the code that belongs to it. */
export function proseSection({ side, prose, more, ...section }: ProseSection): Section {
  const { id, title, status } = section;
  return {
    ...section,
    body: (
      <>
        <Row side={side}>
          <SectionHeading id={id}>
            {status === undefined ? title : <ErrorTitle status={status} code={title} />}
          </SectionHeading>
          {prose}
        </Row>
        {more}
      </>
    ),
  };
}

export function ErrorTitle({ status, code }: { status: number; code: string }) {
  return (
    <>
      <StatusBadge status={status} /> <code>{code}</code>
    </>
  );
}

/** The heading of a section, with a link to it. */
export function SectionHeading({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <h2 id={titleId(id)}>
      {children}{' '}
      <a class="anchor" href={`#${id}`} aria-label="Link to this section">
        #
      </a>
    </h2>
  );
}

export function titleId(section: string): string {
  return `${section}-title`;
}

interface RowProps {
  readonly children: ComponentChildren;
  /** Samples and examples, in the column on the right of a wide screen. */
  readonly side?: ComponentChildren;
  /** The id of the heading, for a row with the fields of a request. Its side sends the request. */
  readonly requestTitle?: string;
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
