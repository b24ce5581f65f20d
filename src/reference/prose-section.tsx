import type { ComponentChildren } from 'preact';
import type { Section } from './page.tsx';
import { Row, SectionHeading } from './row.tsx';

interface ProseSection extends Omit<Section, 'body'> {
  /** Default: the title. */
  readonly heading?: ComponentChildren;
  readonly side?: ComponentChildren;
  readonly prose: ComponentChildren;
}

/** A section with a heading, prose, and the code that belongs to it. */
export function proseSection({ heading, side, prose, ...section }: ProseSection): Section {
  const { id, title } = section;
  return {
    ...section,
    body: (
      <Row side={side}>
        <SectionHeading id={id}>{heading ?? title}</SectionHeading>
        {prose}
      </Row>
    ),
  };
}
