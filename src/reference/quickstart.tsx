import { LIMITS_PAGE, REFERENCE_PAGE } from '../contract/api.ts';
import { ERRORS } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { PAGE_SIZE } from '../contract/parameters.ts';
import { PLANS } from '../domain/plan.ts';
import { CodeBlock } from './code.tsx';
import { errorExample } from './example.tsx';
import { OBJECTS } from './object-section.tsx';
import { requestPanel } from './operation-section.tsx';
import {
  DefinitionList,
  ERRORS_HREF,
  Paragraphs,
  Row,
  relative,
  type Section,
  titleId,
} from './section.tsx';

const COMMANDS = `# As the operator, create a key:
animal-store accounts create shop --plan free
animal-store keys create shop

# The samples read the key from here:
export ANIMAL_STORE_API_KEY=ask_…`;

/** From nothing to the first error, in four steps. */
export function quickstartSection(baseUrl: string): Section {
  const { createPet, listPets } = OPERATIONS;
  const { message, status } = OBJECTS['Error']?.properties ?? {};
  return {
    id: 'quickstart',
    title: 'Quickstart',
    prose: [],
    more: (
      <ol class="steps">
        <li id="get-a-key">
          <Row side={<CodeBlock language="curl" code={COMMANDS} />}>
            <h3>Get a key</h3>
            <p>
              Ask the operator of the service for a key. If you run the service yourself, its first
              start may have printed one: the key of the account <code>demo</code>, on the{' '}
              {PLANS.free.title} plan. You can also create one in the console or with these
              commands.
            </p>
            <p>
              A key is a secret. The service shows it once and stores only its hash.
              <span class="needs-script">
                {' '}
                Enter it at the top of this page to send the requests below from here.
              </span>
            </p>
          </Row>
        </li>
        <RequestStep
          id="first-request"
          title="Send your first request"
          text={['Add a pet. [All fields](#createPet)']}
          operation="createPet"
          baseUrl={baseUrl}
          definitions={{
            [createPet.success.status]: createPet.success.description,
            Location: HEADERS.Location.description,
          }}
        />
        <RequestStep
          id="first-page"
          title="Read your first page"
          text={[
            `List the pets. A page has ${PAGE_SIZE.default} pets unless you set a \`limit\`. ` +
              '[All parameters](#listPets)',
          ]}
          operation="listPets"
          baseUrl={baseUrl}
          limit={2}
          definitions={{
            [listPets.success.status]: listPets.success.description,
            Link: HEADERS.LinkNext.description,
          }}
        />
        <RequestStep
          id="first-error"
          title="Get your first error"
          text={[
            `A limit above ${PAGE_SIZE.maximum} is invalid. Every error has the same three fields.`,
            'Handle 429 first: wait for the time in `Retry-After`. See ' +
              `[all errors](${ERRORS_HREF}) and [the limits](${relative(REFERENCE_PAGE, LIMITS_PAGE)}).`,
          ]}
          operation="listPets"
          baseUrl={baseUrl}
          limit={10 * PAGE_SIZE.maximum}
          response={{
            status: ERRORS.invalid_parameter.status,
            example: errorExample('invalid_parameter'),
          }}
          definitions={{
            code: 'For programs: handle an error by its code.',
            message: message?.description ?? '',
            status: status?.description ?? '',
            Link: HEADERS.LinkHelp.description,
          }}
        />
      </ol>
    ),
  };
}

interface RequestStepProps {
  readonly id: string;
  readonly title: string;
  readonly text: readonly string[];
  readonly operation: OperationName;
  readonly baseUrl: string;
  readonly limit?: number;
  readonly response?: { readonly status: number; readonly example: unknown };
  /** The parts of the response, explained. */
  readonly definitions: Readonly<Record<string, string>>;
}

function RequestStep(props: RequestStepProps) {
  const { id, title, text, operation: name, baseUrl, limit, definitions } = props;
  const operation: Operation = OPERATIONS[name];
  const query = limit === undefined ? {} : { limit: String(limit) };
  const { response = operation.success } = props;
  const panel = requestPanel({ id, name, operation, baseUrl, query, response });
  return (
    <li id={id}>
      <Row requestTitle={titleId(id)} side={panel}>
        <h3 id={titleId(id)}>{title}</h3>
        <Paragraphs of={text} />
        <DefinitionList of={Object.entries(definitions)} />
      </Row>
    </li>
  );
}
