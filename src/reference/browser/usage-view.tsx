import type { TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { CHANGES_PAGE, ERRORS_PAGE } from '#contract/api.ts';
import type { UsageReport } from '#domain/usage-report.ts';
import { Table } from '#reference/table.tsx';
import { readKey } from './stored-text.ts';

/** A form for the key, and what the service knows of it. The key is only in the field, and never stored. */
export function UsageView(_: object) {
  const [report, setReport] = useState<UsageReport>();
  const [note, setNote] = useState('');
  const show = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('key');
    setReport(undefined);
    setNote('Loading…');
    try {
      const response = await fetch(location.origin + location.pathname, {
        headers: { Accept: 'application/json', Authorization: `Bearer ${readKey(`${key}`)}` },
        credentials: 'omit',
      });
      const body = await response.json();
      if (response.ok) setReport(body);
      setNote(body.message ?? `The key is ${body.state}.`);
    } catch {
      setNote('The service did not respond. Check the key and your connection.');
    }
  };
  return (
    <>
      <form class="line send" onSubmit={show}>
        <input name="key" type="password" autocomplete="off" required aria-label="API key" />
        <button type="submit">Show usage</button>
      </form>
      <p role="status">{note}</p>
      {report && <Report {...report} />}
    </>
  );
}

function Report({ bannedUntil, expiresAt, readOnly, windows, requests, refusals }: UsageReport) {
  return (
    <>
      <p>
        {bannedUntil && `It is banned until ${bannedUntil}. `}
        {readOnly && 'It can only read. '}
        {expiresAt && `It expires at ${expiresAt}. `}
        {`You call ${requests['getPet'] ? 'getPet, which is' : 'no operation that is'} `}
        <a href={`.${CHANGES_PAGE}#deprecations`}>deprecated</a>.
      </p>
      <Table
        name="figures"
        columns={['Limit', 'Used', '', 'Ends']}
        rows={Object.entries(windows ?? {}).map(([name, { limit, remaining, resetsAt }]) => {
          const used = limit - remaining;
          const label = `${format(used)} of ${format(limit)}`;
          return [name, label, <meter aria-label={label} max={limit} value={used} />, resetsAt];
        })}
      />
      <Table
        name="figures"
        columns={['Requests', 'Result', 'Today', '30 days', 'Each day']}
        rows={Object.entries(requests).flatMap(([operation, results]) =>
          Object.entries(results).map(([result, days]) => [
            operation,
            // As words.
            result.replace(/[A-Z]/g, ' $&').toLowerCase(),
            format(days.at(-1)),
            format(days.reduce((sum, count) => sum + count)),
            <Chart days={days} />,
          ]),
        )}
      />
      <Table
        name="figures"
        columns={['Last refusals', `Those of one instance since ${refusals.completeSince}`]}
        rows={refusals.requests.map(({ at, code, operation, requestId }) => [
          <a href={`.${ERRORS_PAGE}#${code}`}>{code}</a>,
          `${at} ${operation} ${requestId}`,
        ])}
      />
    </>
  );
}

function Chart({ days }: { days: readonly number[] }) {
  const most = Math.max(...days);
  const bars = days.map((count, day) => `M${day} 1V${1 - count / most}`);
  return (
    <svg viewBox="0 0 30 1" preserveAspectRatio="none" role="img" aria-label={`Up to ${most}`}>
      <path d={bars.join('')} />
    </svg>
  );
}

function format(count = 0): string {
  return count.toLocaleString('en-US');
}
