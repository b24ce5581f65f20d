import { CodeBlock } from './code-block.tsx';
import { DefinitionList } from './definition-list.tsx';
import { Island } from './island.tsx';
import type { Section } from './page.tsx';
import { Prose } from './prose.tsx';
import { BACK_TO_NOW, KEYS_SHELL, REHEARSALS, SIMULATIONS } from './rehearsals.ts';
import { Row, SectionHeading } from './row.tsx';

const SIMULATE_SHELL = `# The operator makes the key
animal-store keys create shop --simulate drop`;

/** Only on staging: how to rehearse a later date, and each failure. */
export function rehearseSection(baseUrl: string): Section {
  const id = 'rehearse';
  const title = 'Rehearse';
  const setUp = `# A test key from the operator:
export API=${baseUrl}
export KEY=ask_test_…`;
  return {
    ...{ id, title, summary: 'Move the clock of your account, and get each failure on demand' },
    body: (
      <>
        <Row side={<Shell code={setUp} />}>
          <SectionHeading id={id}>{title}</SectionHeading>
          <p>
            This is a staging deployment. It runs the program of production, and you can rehearse
            here what takes a minute, a day or until 2030 there. Keys begin with{' '}
            <code>ask_test_</code> and work only here. Every response carries{' '}
            <code>X-Environment: staging</code>.
          </p>
        </Row>
        <Row side={<Shell code={`# Back to the real time\n${BACK_TO_NOW}`} />}>
          <h3>The clock of your account</h3>
          <p>
            A request with the header <code>X-Test-Time</code>, such as{' '}
            <code>2030-12-05T00:00:00Z</code>, is served as at that time, and so are all later
            requests of the account: windows, bans, the expiry of keys, removals and the 24 hours of
            an <code>Idempotency-Key</code>. The clock runs on from there. It never goes back,
            except with <code>X-Test-Time: now</code>, which also clears counts and bans. Other
            accounts do not notice.
          </p>
        </Row>
        <Row side={<Shell code={SIMULATE_SHELL} />}>
          <h3>Failures on demand</h3>
          <p>
            A key made with <code>--simulate</code> always gets the same failure, with the headers
            of the real one. Only the key in your client changes.
          </p>
          <DefinitionList
            definitions={Object.entries(SIMULATIONS).map(([name, meaning]) => ({ name, meaning }))}
          />
        </Row>
        <Row side={<Shell code={KEYS_SHELL} />}>
          <h3>Recipes</h3>
          <p>
            The operator makes the keys of the recipes once, and you put them into the variables
            that the comments name. The recipes are in the order of their times, so you can go
            through them from top to bottom.
          </p>
        </Row>
        <ol class="steps">
          {REHEARSALS.map((rehearsal) => (
            <li key={rehearsal.id} id={`rehearse-${rehearsal.id}`}>
              <Row side={<Shell code={rehearsal.shell} />}>
                <h3>{rehearsal.title}</h3>
                <p>
                  <Prose text={rehearsal.text} />
                </p>
              </Row>
            </li>
          ))}
        </ol>
      </>
    ),
  };
}

function Shell({ code }: { code: string }) {
  return <Island name="code-block" of={CodeBlock} props={{ language: 'curl', code }} />;
}
