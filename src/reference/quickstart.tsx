import type { ComponentChildren } from 'preact';
import { ERRORS } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { LIMITS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { PAGE_SIZE } from '../contract/parameters.ts';
import { PLANS } from '../domain/plan.ts';
import { CodeBlock } from './code.tsx';
import { errorExample, writeExample } from './example.tsx';
import { RequestPanel } from './operation-section.tsx';
import { DefinitionList, ERRORS_HREF, relative } from './prose.tsx';
import { proseSection, Row, type Section, titleId } from './section.tsx';
import { OBJECTS } from './shape.tsx';

const COMMANDS = `# As the operator, create a key:
animal-store accounts create shop --plan free
animal-store keys create shop

# The samples read the key from here:
export ANIMAL_STORE_API_KEY=ask_…`;

/** From nothing to the first error, in four steps. */
export function quickstartSection(baseUrl: string): Section {
  const { createPet, listPets } = OPERATIONS;
  return proseSection({
    id: 'quickstart',
    title: 'Quickstart',
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
          operation="createPet"
          baseUrl={baseUrl}
          definitions={{
            [createPet.success.status]: createPet.success.description,
            Location: HEADERS.Location.description,
          }}
        >
          Add a pet. <a href="#createPet">All fields</a>
        </RequestStep>
        <RequestStep
          id="first-page"
          title="Read your first page"
          operation="listPets"
          baseUrl={baseUrl}
          limit={2}
          definitions={{
            [listPets.success.status]: listPets.success.description,
            Link: HEADERS.LinkNext.description,
          }}
        >
          List the pets. A page has {PAGE_SIZE.default} pets unless you set a <code>limit</code>.{' '}
          <a href="#listPets">All parameters</a>
        </RequestStep>
        <RequestStep
          id="first-error"
          title="Get your first error"
          operation="listPets"
          baseUrl={baseUrl}
          limit={10 * PAGE_SIZE.maximum}
          response={{
            status: ERRORS.invalid_parameter.status,
            example: errorExample('invalid_parameter'),
          }}
          definitions={{
            code: 'For programs: handle an error by its code.',
            message: OBJECTS['Error']?.properties?.['message']?.description ?? '',
            status: OBJECTS['Error']?.properties?.['status']?.description ?? '',
            Link: HEADERS.LinkHelp.description,
          }}
          more={
            <p>
              Handle 429 first: wait for the time in <code>Retry-After</code>. See{' '}
              <a href={ERRORS_HREF}>all errors</a> and{' '}
              <a href={relative(REFERENCE_PAGE, LIMITS_PAGE)}>the limits</a>.
            </p>
          }
        >
          A limit above {PAGE_SIZE.maximum} is invalid. Every error has the same three fields.
        </RequestStep>
      </ol>
    ),
  });
}

interface RequestStepProps {
  readonly id: string;
  readonly title: string;
  readonly operation: OperationName;
  readonly baseUrl: string;
  readonly limit?: number;
  readonly response?: { readonly status: number; readonly example: unknown };
  readonly children: ComponentChildren;
  /** What the response contains. */
  readonly definitions: Readonly<Record<string, string>>;
  readonly more?: ComponentChildren;
}

/** The values are in hidden fields, because the page makes the request from its form. */
function RequestStep(props: RequestStepProps) {
  const { id, title, operation: name, baseUrl, limit, children, more } = props;
  const operation: Operation = OPERATIONS[name];
  const { response = operation.success } = props;
  const query = limit === undefined ? {} : { limit: String(limit) };
  return (
    <li id={id}>
      <Row
        requestTitle={titleId(id)}
        side={
          <RequestPanel
            id={id}
            name={name}
            operation={operation}
            baseUrl={baseUrl}
            query={query}
            response={response}
          />
        }
      >
        <h3 id={titleId(id)}>{title}</h3>
        <p>{children}</p>
        <DefinitionList
          definitions={Object.entries(props.definitions).map(([name, meaning]) => ({
            name,
            meaning,
          }))}
        />
        {more}
        {limit && <input type="hidden" name="limit" value={limit} data-place="query" />}
        {operation.body && (
          <input type="hidden" name="body" value={writeExample(operation.body.example)} />
        )}
      </Row>
    </li>
  );
}
