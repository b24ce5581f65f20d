import type { ComponentChildren } from 'preact';
import { ERRORS } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import { ERRORS_PAGE, LIMITS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { PAGE_SIZE } from '../contract/parameters.ts';
import { PLANS } from '../domain/plan.ts';
import { CodeBlock } from './code-block.tsx';
import { CodePanel } from './code-panel.tsx';
import { DefinitionList } from './definition-list.tsx';
import { errorExample, writeExample } from './example.tsx';
import { Island } from './island.tsx';
import type { Section } from './page.tsx';
import { relative } from './relative.ts';
import { RequestRow, Row, SectionHeading, titleId } from './row.tsx';
import type { SampleRequest } from './samples/sample-request.ts';
import { OBJECTS } from './shape.tsx';

const ERRORS_HREF = relative(REFERENCE_PAGE, ERRORS_PAGE);
const LIMITS_HREF = relative(REFERENCE_PAGE, LIMITS_PAGE);
const ACCOUNT = 'shop';

const COMMANDS = `# As the operator, create a key:
animal-store accounts create ${ACCOUNT} --plan free
animal-store keys create ${ACCOUNT}

# The samples read the key from here:
export ANIMAL_STORE_API_KEY=ask_…`;

/** From nothing to the first error, in four steps. */
export function quickstartSection(baseUrl: string): Section {
  const id = 'quickstart';
  const title = 'Quickstart';
  const { createPet, listPets } = OPERATIONS;
  return {
    ...{ id, title, summary: 'Get a key, send a request, read a page, handle an error' },
    body: (
      <>
        <Row>
          <SectionHeading id={id}>{title}</SectionHeading>
        </Row>
        <ol class="steps">
          <li id="get-a-key">
            <Row
              side={
                <Island
                  name="code-block"
                  of={CodeBlock}
                  props={{ language: 'curl', code: COMMANDS }}
                />
              }
            >
              <h3>Get a key</h3>
              <p>
                Ask the operator of the service for a key. If you run the service yourself, its
                first start may have printed one: the key of the account <code>demo</code>, on the{' '}
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
            request={{
              ...requestOf('createPet', baseUrl),
              body: writeExample(createPet.body.example),
            }}
            example={createPet.success}
          >
            <p>
              Add a pet. <a href="#createPet">All fields</a>
            </p>
            <DefinitionList
              definitions={[
                { name: String(createPet.success.status), meaning: createPet.success.description },
                { name: 'Location', meaning: HEADERS.Location.description },
              ]}
            />
          </RequestStep>
          <RequestStep
            id="first-page"
            title="Read your first page"
            request={requestOf('listPets', baseUrl, { limit: '2' })}
            example={listPets.success}
          >
            <p>
              List the pets. A page has {PAGE_SIZE.default} pets unless you set a <code>limit</code>
              . <a href="#listPets">All parameters</a>
            </p>
            <DefinitionList
              definitions={[
                { name: String(listPets.success.status), meaning: listPets.success.description },
                { name: 'Link', meaning: HEADERS.LinkNext.description },
              ]}
            />
          </RequestStep>
          <RequestStep
            id="first-error"
            title="Get your first error"
            request={requestOf('listPets', baseUrl, { limit: String(10 * PAGE_SIZE.maximum) })}
            example={{
              status: ERRORS.invalid_parameter.status,
              example: errorExample('invalid_parameter'),
            }}
          >
            <p>
              A limit above {PAGE_SIZE.maximum} is invalid. Every error has the same three fields.
            </p>
            <DefinitionList
              definitions={[
                { name: 'code', meaning: 'For programs: handle an error by its code.' },
                { name: 'message', meaning: fieldMeaning('message') },
                { name: 'status', meaning: fieldMeaning('status') },
                { name: 'Link', meaning: HEADERS.LinkHelp.description },
              ]}
            />
            <p>
              Handle 429 first: wait for the time in <code>Retry-After</code>. See{' '}
              <a href={ERRORS_HREF}>all errors</a> and <a href={LIMITS_HREF}>the limits</a>.
            </p>
          </RequestStep>
        </ol>
      </>
    ),
  };
}

function fieldMeaning(field: string): string {
  return OBJECTS['Error']?.properties?.[field]?.description ?? '';
}

interface RequestStepProps {
  readonly id: string;
  readonly title: string;
  readonly request: SampleRequest;
  readonly example: { readonly status: number; readonly example: unknown };
  readonly children: ComponentChildren;
}

/** The values are in hidden fields, because the page makes the request from its form. */
function RequestStep({ id, title, request, example, children }: RequestStepProps) {
  return (
    <li id={id}>
      <RequestRow
        labelledBy={titleId(id)}
        side={
          <Island
            name="code-panel"
            of={CodePanel}
            props={{
              ...{ id, request, errorsHref: ERRORS_HREF },
              example: { status: example.status, body: writeExample(example.example) },
            }}
          />
        }
      >
        <h3 id={titleId(id)}>{title}</h3>
        {children}
        {Object.entries(request.values.query).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} data-place="query" />
        ))}
        {request.body !== undefined && <input type="hidden" name="body" value={request.body} />}
      </RequestRow>
    </li>
  );
}

function requestOf(
  operation: OperationName,
  baseUrl: string,
  query: Readonly<Record<string, string>> = {},
): SampleRequest {
  const { method, path } = OPERATIONS[operation];
  return { operation, method, baseUrl, path, values: { path: {}, query, header: {} } };
}
