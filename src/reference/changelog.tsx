import markdown from '../../CHANGELOG.md' with { type: 'text' };
import { Prose } from './prose.tsx';

/** A heading of the changelog with what follows it, up to the next heading. */
interface ChangelogPart {
  readonly id: string;
  readonly title: string;
  /** 2 for a release, 3 for a part of it. */
  readonly level: 2 | 3;
  readonly paragraphs: string[];
  readonly changes: string[];
}

export const CHANGELOG: readonly ChangelogPart[] = readChangelog(markdown);

/** The parts for people who call the API. The others fold away. */
const FOR_CALLERS = ['API', 'Reference and client'];

/** The changelog, below a heading of level 2. */
export function Changelog() {
  return (
    <div class="changelog">
      {CHANGELOG.map((part) =>
        part.level === 2 || FOR_CALLERS.includes(part.title) ? (
          <section key={part.id} id={part.id}>
            {part.level === 2 ? <h3>{part.title}</h3> : <h4>{part.title}</h4>}
            <Content part={part} />
          </section>
        ) : (
          <details key={part.id} class="fold">
            <summary>
              <h4>{part.title}</h4> <span class="count">for operators</span>
            </summary>
            {/* Inside of the fold, so that a link to it unfolds it. */}
            <div id={part.id}>
              <Content part={part} />
            </div>
          </details>
        ),
      )}
    </div>
  );
}

function Content({ part: { paragraphs, changes } }: { part: ChangelogPart }) {
  return (
    <>
      {paragraphs.map((text) => (
        <p key={text}>
          <Prose text={text} />
        </p>
      ))}
      {changes.length > 0 && (
        <ul>
          {changes.map((text) => (
            <li key={text}>
              <Prose text={text} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Reads the Markdown that the changelog uses: headings, paragraphs, lists and code. */
export function readChangelog(text: string): ChangelogPart[] {
  const parts: ChangelogPart[] = [];
  let release = '';
  for (const block of text.split(/\n{2,}|\n(?=- |#)/)) {
    const line = block.trim().replace(/\n\s*/g, ' ');
    const [, hashes = '', title = ''] = /^(##+) (.*)$/.exec(line) ?? [];
    if (hashes === '##') release = title;
    if (hashes !== '') {
      const id = slug(hashes === '##' ? title : `${release} ${title}`);
      const level = hashes === '##' ? 2 : 3;
      parts.push({ id, title, level, paragraphs: [], changes: [] });
      continue;
    }
    const part = parts.at(-1);
    // The title of the file comes before every part.
    if (part === undefined || line === '') continue;
    if (line.startsWith('- ')) part.changes.push(line.slice(2));
    else part.paragraphs.push(line);
  }
  return parts;
}

function slug(title: string): string {
  return `changes-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}
