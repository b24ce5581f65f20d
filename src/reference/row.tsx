import type { ComponentChildren } from 'preact';

interface RowProps {
  readonly children: ComponentChildren;
  /** Samples and examples, in the column on the right of a wide screen. */
  readonly side?: ComponentChildren;
}

/** Prose, and the code that belongs to it. */
export function Row({ children, side }: RowProps) {
  return (
    <div class="row">
      <div class="prose">{children}</div>
      {side !== undefined && <aside class="side">{side}</aside>}
    </div>
  );
}

interface RequestRowProps extends RowProps {
  /** The id of the heading. */
  readonly labelledBy: string;
}

/** Prose with the fields of a request, and the code that sends it. */
export function RequestRow({ labelledBy, children, side }: RequestRowProps) {
  return (
    <form class="row" aria-labelledby={labelledBy}>
      <div class="prose">{children}</div>
      <aside class="side">{side}</aside>
    </form>
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
