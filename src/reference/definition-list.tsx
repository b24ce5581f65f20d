import { CodeLink } from './code-link.tsx';
import { Prose } from './prose.tsx';

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
