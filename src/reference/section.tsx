import type { ComponentChildren, VNode } from 'preact';
import { StatusBadge } from './badge.tsx';
import { RequestPanel } from './example.tsx';
import { type Block, Blocks, Prose } from './markdown.tsx';

/** A page about the API. The navigation and the search list its sections. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** For search engines and previews. */
  readonly summary: string;
  readonly introduction: readonly Block[];
  /** Words that readers may search for, in addition to those of its text. */
  readonly words?: string | undefined;
  readonly groups: readonly Group[];
}

export interface Group {
  readonly title: string;
  /** True if the navigation of other pages folds the group away. */
  readonly isLong?: boolean;
  readonly sections: readonly Section[];
}

export interface Part {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
  /** Words that readers may search for, in addition to those of its text. */
  readonly words?: string | undefined;
  readonly prose: readonly Block[];
  /** Samples and examples, in the column on the right of a wide screen. */
  readonly side?: readonly Block[];
}

export interface Section extends Part {
  readonly method?: string;
  /** The status of an error, whose title is shown as code. */
  readonly status?: number;
  readonly removedAt?: Date | undefined;
  /** Parts that are numbered. */
  readonly steps?: readonly Part[];
}

/** A section with its heading, which links to it. */
export function SectionContent({ section }: { section: Section }) {
  const { id, steps = [] } = section;
  return (
    <section id={id}>
      <Row of={section}>
        <h2 id={titleId(id)}>
          <a href={`#${id}`}>
            <Title section={section} />
          </a>
        </h2>
      </Row>
      {steps.length > 0 && (
        <ol class="steps">
          {steps.map((step, i) => (
            <li id={step.id}>
              <Row of={step}>
                <h3 id={titleId(step.id)}>
                  {i + 1}. {step.title}
                </h3>
              </Row>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

export function Title({ section: { title, status } }: { section: Section }) {
  if (status === undefined) return title;
  return (
    <>
      <StatusBadge status={status} /> <code>{title}</code>
    </>
  );
}

/**
 * A heading with its prose, and the code that belongs to it. If that is a request, the row is a form: the
 * prose may have fields of the request, and the panel sends it.
 */
function Row({ of, children }: { of: Part; children: ComponentChildren }) {
  const { id, prose, side = [] } = of;
  const isRequest = side.some((block) => typeof block === 'object' && block.type === RequestPanel);
  const Columns = isRequest ? 'form' : 'div';
  return (
    <Columns class="row" aria-labelledby={isRequest ? titleId(id) : undefined}>
      <div class="prose">
        {children}
        <Blocks of={prose} />
      </div>
      {side.length > 0 && (
        <aside class="side">
          <Blocks of={side} />
        </aside>
      )}
    </Columns>
  );
}

function titleId(part: string): string {
  return `${part}-title`;
}

/** A header, field or code. */
export type Definition = readonly [name: string, meaning: string, further?: Further];

interface Further {
  /** Its anchor. */
  readonly id?: string | undefined;
  /** The address that its name links to. */
  readonly href?: string | undefined;
  /** The status of an error. */
  readonly status?: number;
  /** Its type. */
  readonly type?: string;
  /** A remark in small print. */
  readonly note?: string;
  /** Words that readers may search for, in addition to those of its text. */
  readonly words?: string | undefined;
  /** The control in which the reader fills in a value. */
  readonly input?: VNode | undefined;
}

export function DefinitionList({ of }: { of: readonly Definition[] }) {
  return (
    <dl class="definitions">
      {of.map(([name, meaning, { id, href, status, type, note, input } = {}]) => (
        <div id={id}>
          <dt>
            {status && <StatusBadge status={status} />}{' '}
            <Prose text={href === undefined ? asCode(name) : `[${asCode(name)}](${href})`} />{' '}
            {type && <Note text={type} />}
          </dt>
          <dd>
            <span id={id && `${id}-meaning`}>
              <Prose text={meaning} /> {note && <Note text={note} />}
            </span>
            {input && <span class="needs-script">{input}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows a name as code, unless it consists of words: a header, field or code has no spaces. */
function asCode(name: string): string {
  return name.includes(' ') ? name : `\`${name}\``;
}

function Note({ text }: { text: string }) {
  return (
    <span class="note">
      <Prose text={text} />
    </span>
  );
}

/** Writes a date as 5 December 2030, in UTC. */
export function calendarDay(date: Date): string {
  return date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}
